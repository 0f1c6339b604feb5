/// A service's promise about its queries: the share that is answered within a time.
///
/// `p95 < 50ms` and `answered within 50ms >= 95%` are the same promise. The 95th percentile is below a time
/// if at least 95 % of the queries are answered within it. A query without a useful answer (timeout, another
/// response code, unreachable, malformed) exceeds any limit.
///
/// Queries that describe only the user's own line are excluded: filtered, offline and blocked queries, and
/// all queries of rounds that were an outage, offline, or interrupted by a suspension.
package struct ServiceObjective: Hashable, Sendable {
    /// The maximum time within the objective, in milliseconds; above 0.
    package let limit: Double
    /// The required share of queries within the limit; above 0 and below 1.
    package let target: Double
    /// Whether the objective was written as a quantile, such as `p95 < 50ms`.
    package let isQuantile: Bool

    /// Returns `nil` for a time or a share that promises nothing, or that allows no failure.
    package init?(limit: Double, target: Double, isQuantile: Bool) {
        guard limit > 0, limit.isFinite, target > 0, target < 1 else { return nil }
        (self.limit, self.target, self.isQuantile) = (limit, target, isQuantile)
    }

    /// The share of queries that may exceed the limit: the error budget.
    package var allowance: Double { 1 - target }

    /// Returns whether an answer after `milliseconds` is within the limit. Half a nanosecond is added for the
    /// rounding of times that were counted in nanoseconds.
    package func holds(_ milliseconds: Double) -> Bool { milliseconds <= limit + 5e-7 }
}

/// The queries that count for an objective, and those answered within its time.
package struct ObjectiveCount: Hashable, Sendable {
    package var within: Int
    package var queries: Int

    package init(within: Int = 0, queries: Int = 0) {
        (self.within, self.queries) = (within, queries)
    }

    package var failures: Int { queries - within }

    /// The share within the limit; `nil` without queries.
    package var share: Double? { queries > 0 ? Double(within) / Double(queries) : nil }

    package static func += (left: inout Self, right: Self) {
        left.within = LatencySketch.sum(left.within, right.within)
        left.queries = LatencySketch.sum(left.queries, right.queries)
    }

    /// Returns how many times faster than `objective` allows its error budget is used up: the share of
    /// failures divided by the allowed share. 1 uses it up exactly; `nil` without queries.
    package func burnRate(of objective: ServiceObjective) -> Double? {
        share.map { (1 - $0) / objective.allowance }
    }
}

extension LatencyTally {
    /// Returns the queries answered within the time of `objective`, and all queries. The count is exact if
    /// all answers are on one side of the limit. Otherwise the limit is accurate to 1 %.
    package func count(within objective: ServiceObjective) -> ObjectiveCount {
        ObjectiveCount(within: answers(within: objective), queries: count)
    }

    private func answers(within objective: ServiceObjective) -> Int {
        guard let minimum, let maximum, objective.holds(minimum) else { return 0 }
        return objective.holds(maximum) ? answered : sketch.count(atMost: objective.limit)
    }
}
