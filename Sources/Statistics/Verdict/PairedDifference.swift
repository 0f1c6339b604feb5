/// What a pair says: one name and type, asked of baseline and candidate in the same round.
package enum PairedDifference: Hashable, Sendable {
    /// Baseline − candidate in milliseconds: positive where the candidate was faster.
    case finite(Double)
    /// As +∞.
    case onlyBaselineFailed
    /// As −∞.
    case onlyCandidateFailed
    /// A tie at any margin.
    case bothFailed

    /// `nil` where either is missing.
    package init?(baseline: QueryOutcome, candidate: QueryOutcome) {
        switch (baseline.time, candidate.time) {
        case (nil, _), (_, nil): return nil
        case (.infinity?, .infinity?): self = .bothFailed
        case (.infinity?, _): self = .onlyBaselineFailed
        case (_, .infinity?): self = .onlyCandidateFailed
        case (let baseline?, let candidate?): self = .finite(baseline - candidate)
        }
    }

    /// −∞ and +∞ where only one failed, NaN where both did.
    var value: Double {
        switch self {
        case .finite(let difference): difference
        case .onlyBaselineFailed: .infinity
        case .onlyCandidateFailed: -.infinity
        case .bothFailed: .nan
        }
    }
}

extension QueryOutcome {
    /// Milliseconds, +∞ without an answer; `nil` where it is left out.
    fileprivate var time: Double? {
        switch self {
        case .answered(let time): time.isFinite ? time : .infinity
        case .failed: .infinity
        case .missing: nil
        }
    }
}
