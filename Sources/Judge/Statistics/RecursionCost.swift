/// The cost of fetching a name that is not in the resolver's cache: the extra time of uncached names over
/// cached names, paired by round.
///
/// The two series ask for different names, so the pair is the round: the difference of its two medians.
/// Failed queries count as slower than any answer. The result is the median of these differences, with an
/// order-statistic interval (David & Nagaraja, Order Statistics, §7.1). It stays valid if the queries of one
/// round depend on each other.
package struct RecursionCost: Hashable, Sendable {
    /// The number of rounds with a difference.
    package let rounds: Int
    /// The median, over all rounds, of each round's median, in milliseconds.
    package let cached: Double
    package let uncached: Double
    /// Uncached minus cached, in milliseconds; infinite if half of the uncached queries failed.
    package let difference: Double
    /// The 95 % interval; `nil` with fewer than six rounds.
    package let interval: ClosedRange<Double>?

    /// Creates the cost from the times of each round in milliseconds, infinite for a failure. A round with
    /// two infinite medians is excluded. `nil` if every round is excluded.
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
