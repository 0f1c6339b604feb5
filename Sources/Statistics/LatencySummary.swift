/// What a set of queries says of one resolver's speed. All times in milliseconds.
///
/// Quantiles are of type 1 (Hyndman & Fan 1996: the order statistic at ⌈n·p⌉) over every query,
/// where one without an answer counts as beyond the timeout; `nil` is a quantile that lies there.
public struct LatencySummary: Hashable, Sendable {
    /// Queries in all, and those that were answered.
    public var count: Int
    public var answered: Int
    /// The timeout, in milliseconds: what the restricted mean counts for a non-answer.
    public var timeout: Double
    /// Of answers only; `nil` without any.
    public var minimum: Double?
    public var maximum: Double?
    /// mean(min(x, timeout)) over every query; `nil` without any.
    public var restrictedMean: Double?
    public var median: Double?
    public var p5: Double?
    public var p25: Double?
    public var p75: Double?
    public var p90: Double?
    public var p95: Double?
    public var p99: Double?
    /// Sample standard deviation of answers; `nil` below two.
    public var standardDeviation: Double?
    /// Mean absolute difference of successive answers; `nil` below two.
    public var jitter: Double?

    /// Summarises `answers`, milliseconds in the order of sending, and `nonAnswers` more queries.
    public init(answers: [Double], nonAnswers: Int, timeout: Double) {
        count = answers.count + nonAnswers
        answered = answers.count
        self.timeout = timeout
    }
}
