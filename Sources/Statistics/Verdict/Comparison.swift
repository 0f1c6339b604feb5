/// What the evidence says of one candidate against the baseline. All times in milliseconds;
/// differences are baseline − candidate, positive where the candidate is faster.
package struct Comparison: Hashable, Sendable {
    package var unit: ComparisonRules.Unit
    /// Rounds, or hours, in the evidence: those that have a pair.
    package var rounds: Int
    package var pairs: Int
    /// The middle of all pairs but those where both failed; `nil` where it is infinite, and without
    /// any.
    package var medianDifference: Double?
    /// Of the median difference, after the last round, at ``confidence``.
    package var interval: DifferenceInterval
    /// 1 − α / candidates.
    package var confidence: Double
    /// ln E after the last round that the difference is above, or below, ``margin``.
    package var logEFaster: Double
    package var logESlower: Double
    /// The share of pairs in which the candidate was faster, a tie as half of one, in the mean over
    /// rounds; `nil` without any.
    package var probabilityFaster: Double?
    package var margin: Double
    package var verdict: Verdict
    package var reason: VerdictReason
    /// Over the pairs that both answered; `nil` without any.
    package var meanDifference: Double?
    package var baselineFailures: FailureCount
    package var candidateFailures: FailureCount
    /// Of the rounds' shares, from one to the next; `nil` where they are too few or all equal.
    package var autocorrelation: Autocorrelation?
}
