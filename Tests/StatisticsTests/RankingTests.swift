import Statistics
import Testing

struct RankingTests {
    /// A row a round: of each resolver, its times at five names, with jitter that differs.
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

    @Test func `those that cannot be told apart share their ranks`() throws {
        let rounds = Self.rounds(20, times: [22, 14, 14, 40])
        let ranking = try #require(Ranking(resolvers: 4, rounds: rounds))
        #expect(ranking.ranks == [3...3, 1...2, 1...2, 4...4])
        #expect(ranking.best == [1, 2])
        #expect(!ranking.tellsApart(1, 2) && ranking.tellsApart(0, 1) && ranking.tellsApart(1, 0))
        #expect(!ranking.tellsApart(0, 9))
    }

    @Test func `few rounds rank nobody`() throws {
        let ranking = try #require(
            Ranking(resolvers: 3, rounds: Self.rounds(6, times: [10, 20, 90]))
        )
        #expect(ranking.ranks == [1...3, 1...3, 1...3] && ranking.best == [0, 1, 2])
    }

    @Test func `a silent resolver is last`() throws {
        let rounds = Self.rounds(20, times: [nil, 14, 14])
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds))
        #expect(ranking.ranks == [3...3, 1...2, 1...2])
    }

    @Test func `two silent ones are a tie`() throws {
        let rounds = Self.rounds(20, times: [nil, 14, nil])
        let ranking = try #require(Ranking(resolvers: 3, rounds: rounds))
        #expect(ranking.ranks == [2...3, 1...1, 2...3])
    }

    @Test func `as many as can be held against each other are ranked`() {
        #expect(Ranking(resolvers: 0, rounds: []) == nil)
        #expect(Ranking(resolvers: Ranking.limit + 1, rounds: []) == nil)
        #expect(Ranking(resolvers: 1, rounds: [])?.ranks == [1...1])
        #expect(Ranking(resolvers: 2, rounds: [[[.failed]], []])?.ranks == [1...2, 1...2])
    }
}
