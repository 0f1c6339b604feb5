/// A service's promise about its queries: a share of them that is answered within a time.
///
/// `p95 < 50ms` and `answered within 50ms >= 95%` are the same promise, since the 95th percentile is
/// below a time where at least 95 % of the queries are answered within it. A query without a useful
/// answer (timeout, another response code, unreachable, malformed) is not within any time. Queries
/// that say something of the own line alone do not count: filtered, offline and blocked ones, and
/// all of rounds that were an outage, offline, or interrupted by a suspension.
package struct ServiceObjective: Hashable, Sendable {
    /// The longest time that is within, in milliseconds; above 0.
    package let limit: Double
    /// The share of queries that is to be within; above 0 and below 1.
    package let target: Double
    /// Whether it was written as a quantile, such as `p95 < 50ms`.
    package let isQuantile: Bool

    /// `nil` for a time or a share that promises nothing, or leaves nothing to fail.
    package init?(limit: Double, target: Double, isQuantile: Bool) {
        guard limit > 0, limit.isFinite, target > 0, target < 1 else { return nil }
        (self.limit, self.target, self.isQuantile) = (limit, target, isQuantile)
    }

    /// The share of queries that may be later than the limit: the error budget.
    package var allowance: Double { 1 - target }

    /// Whether an answer after so many milliseconds is within: half a nanosecond is what a time
    /// that was counted in nanoseconds may be off by.
    package func holds(_ milliseconds: Double) -> Bool { milliseconds <= limit + 5e-7 }
}

/// Queries that count for an objective, and those of them that were answered within its time.
package struct ObjectiveCount: Hashable, Sendable {
    package var within: Int
    package var queries: Int

    package init(within: Int = 0, queries: Int = 0) {
        (self.within, self.queries) = (within, queries)
    }

    package var failures: Int { queries - within }

    /// `nil` of nothing.
    package var share: Double? { queries > 0 ? Double(within) / Double(queries) : nil }

    package static func += (left: inout Self, right: Self) {
        left.within = LatencySketch.sum(left.within, right.within)
        left.queries = LatencySketch.sum(left.queries, right.queries)
    }

    /// How many times faster than `objective` allows its error budget is used up: the share of
    /// failures by the share that may fail. 1 uses it up exactly; `nil` of nothing.
    package func burnRate(of objective: ServiceObjective) -> Double? {
        share.map { (1 - $0) / objective.allowance }
    }
}

extension LatencyTally {
    /// Queries answered within the time of `objective`, of all: exact where all answers are on one
    /// side of it, else as if the time were up to 1 % longer or shorter.
    package func count(within objective: ServiceObjective) -> ObjectiveCount {
        ObjectiveCount(within: answers(within: objective), queries: count)
    }

    private func answers(within objective: ServiceObjective) -> Int {
        guard let minimum, let maximum, objective.holds(minimum) else { return 0 }
        return objective.holds(maximum) ? answered : sketch.count(atMost: objective.limit)
    }
}
