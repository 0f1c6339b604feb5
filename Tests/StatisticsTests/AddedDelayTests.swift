import Fixtures
import Testing

@testable import Statistics

struct AddedDelayTests {
    /// P(Bin(n, ½) ≤ k) gives the ranks, as `qbinom` of R.
    @Test(arguments: [
        (12, 0.05, 3, 10), (10, 0.05, 2, 9), (6, 0.05, 1, 6), (5, 0.05, 0, 6), (8, 0.01, 1, 8),
        (7, 0.01, 0, 8), (20, 0.01, 4, 17),
    ])
    func `the ranks are those of the binomial distribution`(
        count: Int,
        alpha: Double,
        lower: Int,
        upper: Int
    ) {
        let ranks = QuantileInterval.ranks(of: count, alpha: alpha)
        #expect(ranks.lower == lower && ranks.upper == upper)
    }

    @Test func `the result is the median of the rounds' medians`() {
        let rounds = (1...12).map { round in [Double(round) - 1, Double(round), Double(round) + 30]
        }
        let delay = AddedDelay(rounds)
        #expect(delay.median == 6.5)
        #expect(delay.interval == DifferenceInterval(lower: 3, upper: 10))
        #expect((delay.rounds, delay.pairs) == (12, 36))
        #expect(delay.verdict == .longer)
        #expect(AddedDelay(rounds.map { $0.map { -$0 } }).verdict == .shorter)
    }

    @Test func `failures in one state count as infinite, and in both as no pair`() {
        let lost = [[Double]](repeating: [.infinity, .infinity, 3], count: 12)
        let delay = AddedDelay(lost)
        #expect(delay.median == nil && delay.interval == DifferenceInterval())
        let both = [[Double]](repeating: [.nan, 2, .nan], count: 12)
        #expect(AddedDelay(both).median == 2 && AddedDelay(both).pairs == 12)
        #expect(AddedDelay([[.nan], []]).rounds == 0)
    }

    @Test func `a difference without a cause is found in at most one of twenty runs`() {
        var random = SplitMix64(seed: 42)
        func normal() -> Double {
            // Irwin–Hall: twelve uniform numbers.
            (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        }
        let runs = 2_000
        let found = (0..<runs).count { _ in
            // The queries of one block share the state of the line.
            let rounds = (0..<12).map { _ in
                let block = 3 * normal()
                return (0..<10).map { _ in block + normal() }
            }
            return AddedDelay(rounds).verdict != .unknown
        }
        #expect(Double(found) / Double(runs) <= 0.05)
        #expect(found > 0)
    }
}
