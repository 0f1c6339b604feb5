/// The time that a changed state of the line adds to the queries of a resolver.
///
/// The rounds are the evidence, because the queries of one block share the state of the queue. Each round
/// gives the median of its paired differences. The result is the median over rounds, with a distribution-free
/// interval from two order statistics (see ``QuantileInterval``).
package struct AddedDelay: Hashable, Sendable {
    /// The number of rounds with a pair.
    package let rounds: Int
    package let pairs: Int
    /// The median in milliseconds; `nil` without pairs, and if it is infinite.
    package let median: Double?
    /// The ends in milliseconds; `nil` if an end is open.
    package let interval: DifferenceInterval
    /// The confidence level of ``interval``.
    package let confidence: Double

    /// Evaluates the differences of each round: changed − usual, in milliseconds. +∞ if only the query in the
    /// changed state failed, −∞ if only the other failed, NaN if both failed. The interval is at 1 − `alpha`.
    package init(_ rounds: [[Double]], alpha: Double = 0.05) {
        let usable = rounds.map { $0.filter { !$0.isNaN } }.filter { !$0.isEmpty }
        let medians = usable.compactMap(\.median).filter { !$0.isNaN }.sorted()
        self.rounds = medians.count
        pairs = usable.reduce(0) { $0 + $1.count }
        median = medians.median.flatMap { $0.isFinite ? $0 : nil }
        confidence = 1 - alpha
        let (lower, upper) = QuantileInterval.ranks(of: medians.count, alpha: alpha)
        func value(_ rank: Int) -> Double? {
            guard medians.indices.contains(rank - 1), medians[rank - 1].isFinite else { return nil }
            return medians[rank - 1]
        }
        interval = DifferenceInterval(lower: value(lower), upper: value(upper))
    }

    /// The conclusion about a difference of any size.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The queries take longer in the changed state.
        case longer
        /// They take less time.
        case shorter
        /// The interval contains zero, or has an open end.
        case unknown
    }

    package var verdict: Verdict {
        switch interval.isAboveZero {
        case true?: .longer
        case false?: .shorter
        case nil: .unknown
        }
    }
}
