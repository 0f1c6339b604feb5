/// What a set of queries says of one resolver's speed. All times in milliseconds.
///
/// Quantiles are of type 1 (Hyndman & Fan 1996: the order statistic at ⌈n·p⌉) over every query,
/// where one without an answer counts as beyond the timeout; `nil` is a quantile that lies there.
/// An answer that came after the timeout counts among the answered, with its own time in maximum,
/// deviation and jitter; for quantiles it is beyond the timeout, and the mean takes the timeout.
package struct LatencySummary: Hashable, Sendable {
    /// Queries in all, and those that were answered.
    package var count: Int
    package var answered: Int
    /// The timeout, in milliseconds: what the restricted mean counts for a non-answer.
    package var timeout: Double
    /// Of answers only; `nil` without any.
    package var minimum: Double?
    package var maximum: Double?
    /// mean(min(x, timeout)) over every query; `nil` without any.
    package var restrictedMean: Double?
    package var median: Double?
    package var p5: Double?
    package var p25: Double?
    package var p75: Double?
    package var p90: Double?
    package var p95: Double?
    package var p99: Double?
    /// Sample standard deviation of answers; `nil` below two.
    package var standardDeviation: Double?
    /// Mean absolute difference of successive answers; `nil` below two.
    package var jitter: Double?

    /// Summarises `answers`, milliseconds in the order of sending, and `nonAnswers` more queries.
    /// A time that is not finite is no answer.
    package init(answers: [Double], nonAnswers: Int, timeout: Double) {
        let times = answers.filter(\.isFinite)
        let silent = max(0, nonAnswers) + answers.count - times.count
        count = times.count + silent
        answered = times.count
        self.timeout = timeout
        minimum = times.min()
        maximum = times.max()
        restrictedMean = Self.restrictedMean(of: times, silent: silent, timeout: timeout)
        standardDeviation = Self.standardDeviation(of: times)
        jitter = Self.jitter(of: times)
        let distribution = EmpiricalDistribution(
            answers: times,
            nonAnswers: silent,
            timeout: timeout
        )
        median = distribution.quantile(0.5)
        p5 = distribution.quantile(0.05)
        p25 = distribution.quantile(0.25)
        p75 = distribution.quantile(0.75)
        p90 = distribution.quantile(0.90)
        p95 = distribution.quantile(0.95)
        p99 = distribution.quantile(0.99)
    }

    private static func restrictedMean(
        of times: [Double],
        silent: Int,
        timeout: Double
    ) -> Double? {
        let count = times.count + silent
        guard count > 0 else { return nil }
        let waited = silent > 0 ? Double(silent) * timeout : 0
        return (times.reduce(0) { $0 + min($1, timeout) } + waited) / Double(count)
    }

    /// In two passes: the difference of two large sums of squares would lose the digits.
    private static func standardDeviation(of times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        let mean = times.reduce(0, +) / Double(times.count)
        let squares = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(times.count - 1)).squareRoot()
    }

    private static func jitter(of times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        var sum = 0.0
        for index in 1..<times.count { sum += abs(times[index] - times[index - 1]) }
        return sum / Double(times.count - 1)
    }
}
