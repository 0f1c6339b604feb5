import Statistics
import Testing

struct RecursionCostTests {
    @Test func `the cost is the median of the rounds' differences`() throws {
        let rounds = (1...9).map { round in
            (
                cached: [10.0, 12, 400],
                uncached: [20.0 + Double(round), 30 + Double(round), .infinity]
            )
        }
        let cost = try #require(RecursionCost(rounds: rounds))
        #expect(cost.rounds == 9)
        #expect(cost.cached == 12 && cost.uncached == 35 && cost.difference == 23)
        // The interval has ranks 2 and 8 of 9 (David & Nagaraja, §7.1).
        #expect(cost.interval == 20...26)
    }

    @Test func `failed queries are slower than any answer, and silent rounds have no cost`() throws
    {
        let lossy = [(cached: [5.0], uncached: [Double.infinity, .infinity])]
        let cost = try #require(RecursionCost(rounds: lossy))
        #expect(cost.difference == .infinity && cost.interval == nil)
        let dead: [(cached: [Double], uncached: [Double])] = [
            ([.infinity], [.infinity]), ([], [1]),
        ]
        #expect(RecursionCost(rounds: dead) == nil)
    }
}
