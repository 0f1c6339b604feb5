/// How many of a resolver's queries failed, of those that stand in pairs.
package struct FailureCount: Hashable, Sendable {
    package var failures: Int
    package var queries: Int

    package init(failures: Int = 0, queries: Int = 0) {
        self.failures = failures
        self.queries = queries
    }

    /// From 0 to 1; `nil` without queries.
    package var rate: Double? { queries > 0 ? Double(failures) / Double(queries) : nil }

    /// Whether this is more than in `other` by over half a percentage point and by over one query:
    /// where one query in 200 costs a retry after 5 s, the mean is 25 ms worse.
    package func exceeds(_ other: FailureCount) -> Bool {
        guard queries > 0, other.queries > 0 else { return false }
        // Multiplied out, so that half a point exactly is not above itself for rounding.
        let excess =
            Double(failures) * Double(other.queries) - Double(other.failures) * Double(queries)
        return 200 * excess > Double(queries) * Double(other.queries)
            && excess > Double(other.queries)
    }

    static func += (left: inout FailureCount, right: FailureCount) {
        left.failures = LatencySketch.sum(left.failures, right.failures)
        left.queries = LatencySketch.sum(left.queries, right.queries)
    }
}
