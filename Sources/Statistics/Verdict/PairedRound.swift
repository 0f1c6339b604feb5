/// One piece of evidence about a candidate: the pairs of a round, or an hour as one pair.
package struct PairedRound: Hashable, Sendable {
    /// In no particular order; a pair that is missing is not there.
    package let pairs: [PairedDifference]
    package let baselineFailures: FailureCount
    package let candidateFailures: FailureCount
    /// The sum of baseline − candidate over what both answered, in milliseconds, and its terms.
    let differenceSum: Double
    let differences: Int
    /// Days since 1970 (UTC); `nil` where that is not told.
    let day: Int?

    /// The pairs of a round.
    package init(_ pairs: [PairedDifference]) {
        var baselineFailures = 0
        var candidateFailures = 0
        var sum = 0.0
        var count = 0
        for pair in pairs {
            switch pair {
            case .finite(let difference):
                sum += difference
                count += 1
            case .onlyBaselineFailed: baselineFailures += 1
            case .onlyCandidateFailed: candidateFailures += 1
            case .bothFailed:
                baselineFailures += 1
                candidateFailures += 1
            }
        }
        self.pairs = pairs
        self.baselineFailures = FailureCount(failures: baselineFailures, queries: pairs.count)
        self.candidateFailures = FailureCount(failures: candidateFailures, queries: pairs.count)
        differenceSum = sum
        differences = count
        day = nil
    }

    /// The pairs of a round from the outcomes of both, in the same order of questions.
    package init(baseline: [QueryOutcome], candidate: [QueryOutcome]) {
        self.init(
            zip(baseline, candidate).compactMap { PairedDifference(baseline: $0, candidate: $1) }
        )
    }

    /// An hour, counted from 1970 (UTC), as one pair of medians, each infinite where it lies beyond
    /// `timeout` milliseconds; `nil` where either resolver was not asked.
    package init?(hour: Int, baseline: LatencyTally, candidate: LatencyTally, timeout: Double) {
        let counts = [baseline, candidate].map {
            FailureCount(failures: $0.nonAnswers, queries: $0.count)
        }
        guard counts.allSatisfy({ $0.queries > 0 }) else { return nil }
        let outcomes = [baseline, candidate].map { tally -> QueryOutcome in
            tally.quantile(0.5, timeout: timeout).map(QueryOutcome.answered) ?? .failed
        }
        pairs = [PairedDifference(baseline: outcomes[0], candidate: outcomes[1])].compactMap(\.self)
        baselineFailures = counts[0]
        candidateFailures = counts[1]
        let isAnswered = baseline.answered > 0 && candidate.answered > 0
        differenceSum =
            isAnswered
            ? baseline.sum / Double(baseline.answered) - candidate.sum / Double(candidate.answered)
            : 0
        differences = isAnswered ? 1 : 0
        day = Int((Double(hour) / 24).rounded(.down))
    }

    /// U: the share of pairs whose difference is above `margin` milliseconds, a tie as half of one;
    /// `nil` without a pair.
    package func share(above margin: Double) -> Double? {
        guard !pairs.isEmpty else { return nil }
        var halves = 0
        for pair in pairs {
            let difference = pair.value
            halves += difference > margin ? 2 : difference < margin ? 0 : 1
        }
        return Double(halves) / Double(2 * pairs.count)
    }

    /// F: the share of queries that the candidate failed less that of the baseline, −1 to 1; `nil`
    /// without any. In pairs, those that only the candidate failed less those that only the baseline
    /// did.
    package var failureExcess: Double? {
        guard let candidate = candidateFailures.rate, let baseline = baselineFailures.rate
        else { return nil }
        return candidate - baseline
    }
}

/// The difference of a pair: one name and type, asked of both in the same round.
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

/// The outcome of one query of a round.
package enum QueryOutcome: Hashable, Sendable {
    /// Milliseconds; a time that is not finite is no answer.
    case answered(Double)
    /// No answer that could be used: slower than any time.
    case failed
    /// Not asked, or an answer that says nothing of speed: left out.
    case missing
}
