/// What to do about a candidate.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// It is faster by more than the margin, and nothing speaks against it.
    case `switch`
    /// It is not faster by more than the margin, or fails more often.
    case keep
    /// The evidence allowed for is used up, and the margin lies within the interval.
    case tooClose = "too-close"
    /// Nothing can be said, or something stands in the way of a `switch`.
    case undecided
}

/// Why a verdict is what it is.
package enum VerdictReason: String, Hashable, Sendable, CaseIterable {
    /// The candidate is faster by more than the margin.
    case faster
    /// The candidate is not faster by more than the margin, and its median difference is against it
    /// by more than the margin.
    case slower
    /// The candidate is not faster by more than the margin, and its median difference lies within
    /// the margin on either side of zero: about the same.
    case withinMargin = "within-margin"
    /// It fails more often than the baseline.
    case reliability
    /// It is faster in most pairs, but slower on average.
    case tail
    /// It is faster, but does not tell the truth.
    case tampering
    /// The baseline left most pairs unanswered that the candidate answered.
    case baselineSilent = "baseline-silent"
    /// All rounds that were allowed for are used up.
    case budget
    /// The run was interrupted.
    case interrupted
}
