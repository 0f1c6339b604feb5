/// The cost of fetching a name that a resolver does not know: by how much uncached names take
/// longer than cached ones, paired by round.
///
/// The two series ask for different names, so that the pair is the round: the difference of its two
/// medians, failed queries counted as slower than any. The median of those differences, with its
/// order-statistic interval (David & Nagaraja, Order Statistics, §7.1), does not mind that the
/// queries of a round depend on each other.
package struct RecursionCost: Hashable, Sendable {
    /// Rounds with a difference.
    package let rounds: Int
    /// The medians over all rounds of a round's median, in milliseconds.
    package let cached: Double
    package let uncached: Double
    /// Uncached − cached in milliseconds; infinite where half of the uncached queries failed.
    package let difference: Double
    /// At 95 %; `nil` below six rounds.
    package let interval: ClosedRange<Double>?

    /// From the times of each round in milliseconds, infinite for a failure; a round where both
    /// medians are infinite says nothing. `nil` where no round says anything.
    package init?(rounds: some Sequence<(cached: [Double], uncached: [Double])>) {
        let medians = rounds.compactMap { round -> (cached: Double, uncached: Double)? in
            guard let cached = round.cached.lowerMedian,
                let uncached = round.uncached.lowerMedian,
                cached.isFinite || uncached.isFinite
            else { return nil }
            return (cached, uncached)
        }
        let differences = medians.map { $0.uncached - $0.cached }
        guard let difference = differences.lowerMedian,
            let cached = medians.map(\.cached).lowerMedian,
            let uncached = medians.map(\.uncached).lowerMedian
        else { return nil }
        self.rounds = medians.count
        self.cached = cached
        self.uncached = uncached
        self.difference = difference
        interval = QuantileInterval.ofMedian(differences)
    }
}
