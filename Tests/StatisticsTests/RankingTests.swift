import Statistics
import Testing

struct RankingTests {
    /// Rounds of the resolvers' times for five names, with random jitter.
    private static func rounds(
        _ count: Int,
        times: [Double?],
        jitter: Int = 2_000
    ) -> [[[QueryOutcome]]] {
        var source = CongruentialGenerator(state: 77)
        return (0..<count).map { _ in
            times.map { time in
                (0..<5).map { _ in
                    let extra = Double(source.below(jitter)) / 1000
                    return time.map { .answered($0 + extra) } ?? .failed
                }
            }
        }
    }

    @Test func `resolvers that cannot be distinguished share their ranks`() throws {
        let rounds = Self.rounds(20, times: [22, 14, 14, 40])
        let ranking = try #require(Ranking(resolvers: 4, rounds: rounds))
        #expect(ranking.ranks == [3...3, 1...2, 1...2, 4...4])
        #expect(!ranking.tellsApart(1, 2) && ranking.tellsApart(0, 1) && ranking.tellsApart(1, 0))
        #expect(!ranking.tellsApart(0, 9))
    }

    @Test func `a difference within the errors of two medians does not rank`() throws {
        let rounds = Self.rounds(20, times: [600, 605, 640], jitter: 100)
        let exact = try #require(Ranking(resolvers: 3, rounds: rounds))
        #expect(exact.ranks == [1...1, 2...2, 3...3])
        let errors = rounds.map { _ in [6.0, 6.0, 6.4] }
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds, errors: errors))
        #expect(ranking.ranks == [1...2, 1...2, 3...3])
    }

    @Test func `few rounds rank no resolver`() {
        for rounds in 0..<12 {
            let ranking = Ranking(resolvers: 3, rounds: Self.rounds(rounds, times: [10, 20, 90]))
            #expect(ranking?.ranks == (rounds < 8 ? nil : [1...1, 2...2, 3...3]))
        }
    }

    @Test func `thirty distinct resolvers are ranked within thirteen rounds`() throws {
        let times = (0..<30).map { 3 + 3 * Double($0) }
        let ranking = try #require(Ranking(resolvers: 30, rounds: Self.rounds(13, times: times)))
        #expect(ranking.ranks == (1...30).map { $0...$0 })
    }

    @Test func `known comparisons agree with the ranks`() throws {
        let rounds = Self.rounds(9, times: [22, 14, 22])
        var process = ComparisonProcess(candidates: 2)
        for round in rounds {
            process.add(round.dropFirst().map { PairedRound(baseline: round[0], candidate: $0) })
        }
        let known = process.comparisons(ending: .budgetSpent).enumerated()
            .map { (baseline: 0, candidate: $0 + 1, comparison: $1) }
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds, known: known))
        #expect(known[0].comparison.verdict == .switch && ranking.ranks == [2...3, 1...1, 2...3])
    }

    @Test func `a silent resolver is last`() throws {
        let rounds = Self.rounds(20, times: [nil, 14, 14])
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds))
        #expect(ranking.ranks == [3...3, 1...2, 1...2])
    }

    @Test func `two silent resolvers are a tie`() throws {
        let rounds = Self.rounds(20, times: [nil, 14, nil])
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds))
        #expect(ranking.ranks == [2...3, 1...1, 2...3])
    }

    @Test func `up to the limit, any number of resolvers is ranked`() {
        #expect(Ranking(resolvers: 0, rounds: []) == nil)
        #expect(Ranking(resolvers: Ranking.limit + 1, rounds: []) == nil)
        #expect(Ranking(resolvers: 1, rounds: [])?.ranks == [1...1])
        let ties = [[[QueryOutcome]]](repeating: [[.failed], [.failed]], count: 9)
        #expect(Ranking(resolvers: 2, rounds: ties + [[[.failed]], []])?.ranks == [1...2, 1...2])
    }
}
