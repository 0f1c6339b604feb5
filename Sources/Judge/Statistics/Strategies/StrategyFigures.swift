/// The predicted figures of one strategy over look-ups, which are the rows of rounds.
package struct StrategyFigures: Hashable, Sendable {
    /// The time in milliseconds beyond which a look-up is slow.
    package static let slow = 100.0

    package let strategy: Strategy
    /// The number of rows that have all of the strategy's resolvers, and the number of their rounds.
    package let lookups: Int
    package let rounds: Int
    package let median: ClusteredQuantile
    package let p95: ClusteredQuantile
    /// Shares of look-ups.
    package let slowShare: Double
    package let failedShare: Double
    /// The mean number of queries per look-up.
    package let queries: Double
    /// The share of look-ups, per resolver, in which its answer is the first. A tie is divided.
    package let wins: [Int: Double]

    /// Returns `nil` if no row of `rounds` has all of the strategy's resolvers.
    package init?(of strategy: Strategy, over rounds: [[[Double]]]) {
        let rounds = rounds.map { rows in
            rows.filter { row in strategy.members.allSatisfy { !row[$0].isNaN } }
        }
        .filter { !$0.isEmpty }
        let rows = Array(rounds.joined())
        let times = rounds.map { $0.flatMap(strategy.times) }
        guard let median = ClusteredQuantile(0.5, of: times),
            let p95 = ClusteredQuantile(0.95, of: times)
        else { return nil }
        self.strategy = strategy
        self.rounds = rounds.count
        lookups = rows.count
        (self.median, self.p95) = (median, p95)
        let all = Double(times.joined().count)
        slowShare = Double(times.joined().count { $0 > Self.slow }) / all
        failedShare = Double(times.joined().count { $0 == .infinity }) / all
        queries = Double(rows.reduce(0) { $0 + strategy.queries($1) }) / Double(rows.count)
        var wins: [Int: Double] = [:]
        for winners in rows.map(strategy.winners) {
            for winner in winners {
                wins[winner, default: 0] += 1 / Double(winners.count * rows.count)
            }
        }
        self.wins = wins
    }

    /// The strategy of a forwarder that learns from such races: each resolver is listed in proportion to its
    /// wins, with about twenty entries in total; `nil` if the strategy is not a race, and without wins.
    package var learned: Strategy? {
        guard case .race(let resolvers) = strategy else { return nil }
        let listed = resolvers.flatMap { resolver in
            [Int](repeating: resolver, count: Int((20 * (wins[resolver] ?? 0)).rounded()))
        }
        return listed.isEmpty ? nil : .winners(listed)
    }
}
