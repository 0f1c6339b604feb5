/// The verdict on a candidate.
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
    case faster
    /// The candidate is not faster by more than the margin, and its median difference is against it
    /// by more than the margin.
    case slower
    /// The candidate is not faster by more than the margin, and its median difference lies within
    /// the margin on either side of zero: about the same.
    case withinMargin = "within-margin"
    /// It fails more often than the baseline.
    case reliability
    /// It is faster, but its queries are too few to exclude that it fails much more often.
    case lossUnknown = "loss-unknown"
    /// It is faster in most pairs, but slower on average.
    case tail
    /// It is faster, but does not tell the truth.
    case tampering
    /// Both are one cache, or one forwards to the other.
    case sharedCache = "shared-cache"
    /// Its look-ups are faster, but not so that a connection to what it answers stands sooner; or that
    /// is not known.
    case edge
    /// The baseline left half of the pairs or more unanswered that the candidate answered.
    case baselineSilent = "baseline-silent"
    /// It was asked no more, since others are surely no slower: what it is to the baseline is left
    /// open.
    case setAside = "set-aside"
    /// All rounds that were allowed for are used up.
    case budget
    case interrupted
}

/// The comparison of one candidate with the baseline. All times in milliseconds;
/// differences are baseline − candidate, positive where the candidate is faster.
package struct Comparison: Hashable, Sendable {
    package var unit: ComparisonRules.Unit
    /// Rounds, or hours, in the evidence: those that have a pair.
    package var rounds: Int
    package var pairs: Int
    /// The statistic that ``interval`` and verdict are about.
    package var statistic = ComparisonRules.Statistic.median
    /// The middle of all pairs but those where both failed; `nil` where it is infinite.
    package var medianDifference: Double?
    /// The interval of the ``statistic`` at ``confidence``: with a verdict of speed, the margin is
    /// outside, or its end.
    package var interval: DifferenceInterval
    /// 1 − the level of the candidate's step in Holm's test.
    package var confidence: Double
    /// ln E after the last round that the difference is above, or below, ``margin``.
    package var logEFaster: Double
    package var logESlower: Double
    /// The share of pairs in which the candidate was faster, a tie as half; the mean over rounds.
    package var probabilityFaster: Double?
    package var margin: Double
    package var verdict: Verdict
    package var reason: VerdictReason
    /// The difference of the restricted means, in which a failed query counts as the timeout; of
    /// names as found, over the pairs that both answered. `nil` without any.
    package var meanDifference: Double?
    /// Whether the mean difference is against the candidate by more than chance.
    package var isSlowerOnAverage: Bool
    package var baselineFailures: FailureCount
    package var candidateFailures: FailureCount
    /// The correlation of the rounds' shares, one with the next; `nil` for too few or all equal.
    package var autocorrelation: Autocorrelation?

    /// The median or the mean, as the ``statistic`` says.
    package var difference: Double? {
        statistic == .median ? medianDifference : meanDifference
    }

    /// Whether the whole interval of the difference lies within a positive margin on either side.
    package var isAboutTheSame: Bool {
        guard let lower = interval.lower, let upper = interval.upper else { return false }
        return margin > 0 && -margin <= lower && upper <= margin
    }

    /// Whether the candidate is faster than the baseline, by however little; `nil` while that is open.
    package var isFaster: Bool? {
        verdict == .switch ? true : interval.isAboveZero
    }
}

/// The rules that a comparison is held to.
package struct ComparisonRules: Hashable, Sendable, Codable {
    /// One piece of evidence.
    package enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
        /// Every name once, within seconds: says what holds now.
        case round
        /// An hour's medians: says what holds in general.
        case hour
    }

    /// The figure of the differences that a verdict is about.
    package enum Statistic: Hashable, Sendable, Codable {
        /// By evidence that may be looked at after every round.
        case median
        /// By a t interval of the rounds' means, for one look at the end.
        case mean
    }

    /// Milliseconds that a difference must exceed to be worth it.
    package var margin: Double
    /// How often a verdict may be wrong in the long run, over all candidates together.
    package var alpha: Double
    package var unit: Unit
    package var statistic = Statistic.median
    /// By how much the upper limit of a candidate's share of failures may exceed the baseline's share
    /// in a `switch`; `nil` for no limit.
    package var lossTolerance: Double?

    package init(
        margin: Double = 5,
        alpha: Double = 0.05,
        unit: Unit = .round,
        lossTolerance: Double? = nil
    ) {
        self.margin = margin
        self.alpha = alpha
        self.unit = unit
        self.lossTolerance = lossTolerance
    }

    /// The tolerance of a recommendation: 53 queries without a failure are within it. At ten names
    /// per round, the fewest rounds of a verdict have 70 queries, so it delays only runs of few names.
    package static let usualLossTolerance = 0.1

    /// Throws where no comparison can be held to them.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        margin = try values.decode(Double.self, forKey: .margin)
        alpha = try values.decode(Double.self, forKey: .alpha)
        unit = try values.decode(Unit.self, forKey: .unit)
        statistic = try values.decode(Statistic.self, forKey: .statistic)
        lossTolerance = try values.decodeIfPresent(Double.self, forKey: .lossTolerance)
        guard margin >= 0, alpha > 0, alpha < 1, lossTolerance.map({ $0 >= 0 }) ?? true else {
            throw DecodingError.dataCorruptedError(
                forKey: .alpha,
                in: values,
                debugDescription: "no share of verdicts, or no margin"
            )
        }
    }

    /// Queries of a candidate, none of which fails, that keep its share of failures within
    /// ``lossTolerance`` of a baseline that never fails; 0 without a tolerance.
    package var fewestQueries: Int {
        guard let lossTolerance else { return 0 }
        return (1...Self.mostQueries).first {
            ProportionInterval.anytime(successes: 0, of: $0).upperBound <= lossTolerance
        } ?? Self.mostQueries
    }

    private static let mostQueries = 10_000

    /// Rounds or hours without which there is no verdict: no method free of a distribution is sure
    /// to 95 % before the seventh, and hours need to differ.
    package var minimumRounds: Int {
        statistic == .mean ? MeanInterval.fewestBlocks : unit == .round ? 7 : 8
    }

    /// Different days (UTC) without which there is no verdict.
    package var minimumDays: Int { unit == .round ? 0 : 2 }
}

/// How much the share of one round tells of the next one's.
package struct Autocorrelation: Hashable, Sendable {
    /// From −1 to 1: Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)² (Box & Jenkins 1976, §2.1).
    package let coefficient: Double
    package let rounds: Int

    /// `nil` below three values, and where all are equal.
    package init?(of values: [Double]) {
        guard values.count >= 3 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let deviations = values.map { $0 - mean }
        let squares = deviations.reduce(0) { $0 + $1 * $1 }
        guard squares > 1e-12 * Double(values.count) else { return nil }
        let products = zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
        coefficient = products / squares
        rounds = values.count
    }

    /// Whether a short run may mislead about a longer time: the coefficient is above 0.2, and above
    /// what one in twenty series of independent rounds reaches by chance (1.645 / √n).
    package var isNotable: Bool { coefficient > max(0.2, 1.645 / Double(rounds).squareRoot()) }
}
