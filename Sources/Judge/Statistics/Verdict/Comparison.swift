/// The verdict on a candidate.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// The candidate is faster by more than the margin, and there is no objection.
    case `switch`
    /// The candidate is not faster by more than the margin, or it fails more often.
    case keep
    /// The rounds are used up, and the margin lies within the interval.
    case tooClose = "too-close"
    /// The evidence is too weak, or there is an objection to a `switch`.
    case undecided
}

/// The reason for a verdict.
package enum VerdictReason: String, Hashable, Sendable, CaseIterable {
    case faster
    /// The candidate is not faster by more than the margin, and its median difference is below −margin.
    case slower
    /// The candidate is not faster by more than the margin, and its median difference is within ±margin:
    /// about the same.
    case withinMargin = "within-margin"
    /// The candidate fails more often than the baseline.
    case reliability
    /// The candidate is faster, but its queries are too few to exclude that it fails much more often.
    case lossUnknown = "loss-unknown"
    /// The candidate is faster in most pairs, but slower on average.
    case tail
    /// The candidate is faster, but gives false answers.
    case tampering
    /// Both resolvers share a cache, or one forwards to the other.
    case sharedCache = "shared-cache"
    /// The candidate's look-ups are faster, but connections to its answers are not established sooner, or
    /// this is unknown.
    case edge
    /// The baseline left at least half of the pairs unanswered that the candidate answered.
    case baselineSilent = "baseline-silent"
    /// The candidate is asked no longer, because other resolvers are established to be no slower. Its
    /// comparison with the baseline is open.
    case setAside = "set-aside"
    /// All rounds are used up.
    case budget
    case interrupted
}

/// The comparison of one candidate with the baseline. All times are in milliseconds. Differences are baseline
/// − candidate: positive if the candidate is faster.
package struct Comparison: Hashable, Sendable {
    package var unit: ComparisonRules.Unit
    /// The number of rounds, or hours, that have a pair.
    package var rounds: Int
    package var pairs: Int
    /// The statistic of ``interval`` and ``verdict``.
    package var statistic = ComparisonRules.Statistic.median
    /// The median of all pairs, except those in which both failed; `nil` if it is infinite.
    package var medianDifference: Double?
    /// The interval of the ``statistic`` at ``confidence``. If speed decided the verdict, the margin is
    /// outside the interval or at its end.
    package var interval: DifferenceInterval
    /// 1 − the level of the candidate's step in Holm's test.
    package var confidence: Double
    /// ln E, after the last round, that the difference is above or below ``margin``.
    package var logEFaster: Double
    package var logESlower: Double
    /// The share of pairs in which the candidate was faster, as a mean over rounds. A tie counts as half.
    package var probabilityFaster: Double?
    package var margin: Double
    package var verdict: Verdict
    package var reason: VerdictReason
    /// The difference of the restricted means, in which a failed query counts as the timeout. For names as
    /// found, it covers the pairs that both answered. `nil` without any.
    package var meanDifference: Double?
    /// Whether the candidate is slower on average by more than chance.
    package var isSlowerOnAverage: Bool
    package var baselineFailures: FailureCount
    package var candidateFailures: FailureCount
    /// The correlation of successive rounds' shares; `nil` if the rounds are too few, or their shares equal.
    package var autocorrelation: Autocorrelation?

    /// The median or mean difference, depending on ``statistic``.
    package var difference: Double? {
        statistic == .median ? medianDifference : meanDifference
    }

    /// Whether the interval of the difference lies entirely within ±margin, for a positive margin.
    package var isAboutTheSame: Bool {
        guard let lower = interval.lower, let upper = interval.upper else { return false }
        return margin > 0 && -margin <= lower && upper <= margin
    }

    /// Whether the candidate is faster than the baseline, by any amount; `nil` while this is open.
    package var isFaster: Bool? {
        verdict == .switch ? true : interval.isAboveZero
    }
}

/// The rules of a comparison.
package struct ComparisonRules: Hashable, Sendable, Codable {
    /// The unit of evidence.
    package enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
        /// Every name once, within seconds. The result describes the time of the run.
        case round
        /// The medians of an hour. The result describes longer periods.
        case hour
    }

    /// The statistic of the differences that a verdict is about.
    package enum Statistic: Hashable, Sendable, Codable {
        /// The median, with evidence that may be examined after every round.
        case median
        /// The mean, with a t interval of the rounds' means that is examined once, at the end.
        case mean
    }

    /// The gain in milliseconds that makes a switch worth the effort.
    package var margin: Double
    /// The accepted probability that any candidate's verdict is wrong.
    package var alpha: Double
    package var unit: Unit
    package var statistic = Statistic.median
    /// The maximum excess, for a `switch`, of the upper limit of the candidate's share of failures over the
    /// baseline's share; `nil` for no limit.
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

    /// The tolerance of a recommendation: 53 queries without a failure are within it. With ten names per
    /// round, the minimum number of rounds has 70 queries. So the tolerance delays only runs with few names.
    package static let usualLossTolerance = 0.1

    /// Throws if the margin or the tolerance is negative, or the level is not between 0 and 1.
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

    /// The number of a candidate's queries that prove ``lossTolerance``, if none of them fails and the
    /// baseline never fails; 0 without a tolerance.
    package var fewestQueries: Int {
        guard let lossTolerance else { return 0 }
        return (1...Self.mostQueries).first {
            ProportionInterval.anytime(successes: 0, of: $0).upperBound <= lossTolerance
        } ?? Self.mostQueries
    }

    private static let mostQueries = 10_000

    /// The minimum number of rounds or hours for a verdict. No distribution-free method is certain at 95 %
    /// before the seventh round. Hours need more, because they must vary.
    package var minimumRounds: Int {
        statistic == .mean ? MeanInterval.fewestBlocks : unit == .round ? 7 : 8
    }

    /// The minimum number of different days (UTC) for a verdict.
    package var minimumDays: Int { unit == .round ? 0 : 2 }
}

/// The correlation between the shares of successive rounds.
package struct Autocorrelation: Hashable, Sendable {
    /// From −1 to 1: Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)² (Box & Jenkins 1976, §2.1).
    package let coefficient: Double
    package let rounds: Int

    /// Returns `nil` with fewer than three values, and if all values are equal.
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

    /// Whether a short run may mislead about a longer time. The coefficient is above 0.2, and above the limit
    /// that one in twenty series of independent rounds exceeds by chance (1.645 / √n).
    package var isNotable: Bool { coefficient > max(0.2, 1.645 / Double(rounds).squareRoot()) }
}
