/// The queries of an hour to one resolver, as one piece of evidence.
package struct HourSummary: Hashable, Sendable {
    /// The maximum relative error of a sketch's median.
    private static let sketchError = 0.01

    package let failures: FailureCount
    /// The median, as the outcome of one query.
    package let median: QueryOutcome
    /// The mean of min(time, timeout) in milliseconds; `nil` without queries.
    let restrictedMean: Double?
    /// The maximum error of the median in milliseconds: 0 from samples.
    package let error: Double

    /// Summarises the exact times of answers in milliseconds, in any order, and `nonAnswers` more queries.
    package init(answers: [Double], nonAnswers: Int, timeout: Double) {
        self.init(
            LatencySummary(answers: answers, nonAnswers: nonAnswers, timeout: timeout),
            relativeError: 0
        )
    }

    /// Summarises the queries of a tally, whose quantiles are within 1 %.
    package init(_ tally: LatencyTally, timeout: Double) {
        self.init(tally.summary(timeout: timeout), relativeError: Self.sketchError)
    }

    private init(_ summary: LatencySummary, relativeError: Double) {
        failures = FailureCount(
            failures: summary.count - summary.answered,
            queries: summary.count
        )
        median =
            summary.median.map(QueryOutcome.answered) ?? (summary.count > 0 ? .failed : .missing)
        restrictedMean = summary.restrictedMean
        error = relativeError * (summary.median ?? 0)
    }

    /// Whether the resolver was asked.
    package var isAsked: Bool { failures.queries > 0 }
}
