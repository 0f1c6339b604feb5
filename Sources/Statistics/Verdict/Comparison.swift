/// What the evidence says of one candidate against the baseline. All times in milliseconds;
/// differences are baseline − candidate, positive where the candidate is faster.
public struct Comparison: Hashable, Sendable {
    public var unit: ComparisonRules.Unit
    /// Rounds, or hours, in the evidence: those that have a pair.
    public var rounds: Int
    public var pairs: Int
    /// The middle of all pairs but those where both failed; `nil` where it is infinite, and without
    /// any.
    public var medianDifference: Double?
    /// Of the median difference, after the last round, at ``confidence``.
    public var interval: DifferenceInterval
    /// 1 − α / candidates.
    public var confidence: Double
    /// ln E after the last round that the difference is above, or below, ``margin``.
    public var logEFaster: Double
    public var logESlower: Double
    /// The share of pairs in which the candidate was faster, a tie as half of one, in the mean over
    /// rounds; `nil` without any.
    public var probabilityFaster: Double?
    public var margin: Double
    public var verdict: Verdict
    public var reason: VerdictReason
    /// Over the pairs that both answered; `nil` without any.
    public var meanDifference: Double?
    public var baselineFailures: FailureCount
    public var candidateFailures: FailureCount
    /// Of the rounds' shares, from one to the next; `nil` where they are too few or all equal.
    public var autocorrelation: Autocorrelation?
}
