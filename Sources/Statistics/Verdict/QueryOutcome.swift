/// What one query of a round says of its resolver.
package enum QueryOutcome: Hashable, Sendable {
    /// Milliseconds; a time that is not finite is no answer.
    case answered(Double)
    /// No answer that could be used: slower than any time.
    case failed
    /// Not asked, or an answer that says nothing of speed: left out.
    case missing
}
