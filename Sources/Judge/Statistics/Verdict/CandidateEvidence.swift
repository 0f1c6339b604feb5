/// All that was seen of one candidate beside the baseline, and what it establishes by now.
struct CandidateEvidence: Hashable, Sendable {
    /// Those with a pair, in order.
    private(set) var rounds: [PairedRound] = []
    /// U of each round at the margin.
    private(set) var shares: [Double] = []
    /// That U is above ½ or below.
    private(set) var speed = EProcess()
    /// That more rounds have more failures of the candidate than of the baseline; a round in which
    /// both failed as much says nothing. A mean of F, which is small, would hardly ever tell.
    private(set) var failures = EProcess()
    private(set) var baselineFailures = FailureCount()
    private(set) var candidateFailures = FailureCount()
    private let margin: Double
    private var differenceSum = 0.0
    private var differences = 0
    /// That the median difference is +∞, and that it is not against the candidate by more than the
    /// margin: after each round it is asked.
    private var silence = MedianBound(.infinity)
    private var nearness: MedianBound
    private var days: Set<Int> = []
    /// Whether the candidate is faster by more than the margin; `nil` while that is not established.
    private(set) var isFaster: Bool?
    private(set) var isFailingMore = false
    /// The progress of its time to content; `nil` where that does not count.
    var content: ContentProgress?
    /// The level at which its speed is tested, after the others of a comparison.
    private(set) var level: Double

    init(level: Double, margin: Double) {
        (self.level, self.margin) = (level, margin)
        nearness = MedianBound(-margin)
    }

    mutating func add(_ round: PairedRound) {
        guard let share = round.share(above: margin), let excess = round.failureExcess
        else { return }
        rounds.append(round)
        for difference in round.pairs where !difference.isNaN {
            silence.add(difference)
            nearness.add(difference)
        }
        shares.append(share)
        speed.add(share)
        failures.add(signOf: excess)
        baselineFailures += round.baselineFailures
        candidateFailures += round.candidateFailures
        differenceSum += round.differenceSum
        differences += round.differences
        if let day = round.day { days.insert(day) }
    }

    /// Keeps what the tests say by now.
    mutating func establish(isFaster: Bool?, isFailingMore: Bool, level: Double) {
        (self.isFaster, self.isFailingMore, self.level) = (isFaster, isFailingMore, level)
    }

    /// Whether there are as many rounds, over as many days, as a verdict takes.
    func suffices(for rules: ComparisonRules) -> Bool {
        rounds.count >= rules.minimumRounds && days.count >= rules.minimumDays
    }

    /// The reason that stands between being faster and a `switch` by `rules`.
    func obstacle(by rules: ComparisonRules) -> VerdictReason? {
        if candidateFailures.exceeds(baselineFailures) { return .reliability }
        if let meanDifference, meanDifference < 0 { return .tail }
        if content == .open { return .edge }
        return isLossKnown(by: rules) ? nil : .lossUnknown
    }

    /// Whether the queries exclude that the candidate fails more often than the baseline by more than
    /// the tolerance.
    func isLossKnown(by rules: ComparisonRules) -> Bool {
        guard let tolerance = rules.lossTolerance else { return true }
        let upper = ProportionInterval.anytime(
            successes: candidateFailures.failures,
            of: candidateFailures.queries
        ).upperBound
        return upper <= (baselineFailures.rate ?? 0) + tolerance
    }

    /// Whether it is slower, or about the same within a positive margin.
    var reasonToKeep: VerdictReason {
        margin > 0 && nearness.isReached ? .withinMargin : .slower
    }

    /// Whether the baseline was silent where the candidate answered, in half of the pairs or more.
    var reasonToSwitch: VerdictReason { silence.isReached ? .baselineSilent : .faster }

    /// Over all pairs but those where both failed, in milliseconds, perhaps infinite; `nil` without
    /// any, and where the middle is between −∞ and +∞.
    var medianDifference: Double? {
        let median = rounds.flatMap(\.pairs).filter { !$0.isNaN }.median
        return median?.isNaN == true ? nil : median
    }

    /// The mean of the rounds' differences, in milliseconds; `nil` without any. Where the rounds
    /// know their timeout, a failure counts as the timeout.
    var meanDifference: Double? { differences > 0 ? differenceSum / Double(differences) : nil }

    /// Whether the t interval (95 %) of the rounds' mean differences lies below zero.
    var isSlowerOnAverage: Bool {
        let means = rounds.filter { $0.differences > 0 }
            .map { $0.differenceSum / Double($0.differences) }
        return (MeanInterval(ofBlocks: means)?.upper ?? 0) < 0
    }

    /// The mean share of differences above zero.
    var probabilityFaster: Double? {
        let shares = rounds.compactMap { $0.share(above: 0) }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
    }
}

/// How many of a resolver's queries failed.
package struct FailureCount: Hashable, Sendable {
    package var failures: Int
    package var queries: Int

    package init(failures: Int = 0, queries: Int = 0) {
        self.failures = failures
        self.queries = queries
    }

    /// Failures of queries with these outcomes; those that are missing count for nothing.
    package init(_ outcomes: [QueryOutcome]) {
        self.init(
            failures: outcomes.count { $0 == .failed },
            queries: outcomes.count { $0 != .missing }
        )
    }

    /// From 0 to 1; `nil` without queries.
    package var rate: Double? { queries > 0 ? Double(failures) / Double(queries) : nil }

    /// Whether this is more than in `other` by over half a percentage point and by over one query:
    /// where one query in 200 costs a retry after 5 s, the mean is 25 ms worse.
    package func exceeds(_ other: FailureCount) -> Bool {
        guard queries > 0, other.queries > 0 else { return false }
        // Multiplied out, so that half a point exactly is not above itself for rounding.
        let excess =
            Double(failures) * Double(other.queries) - Double(other.failures) * Double(queries)
        return 200 * excess > Double(queries) * Double(other.queries)
            && excess > Double(other.queries)
    }

    package static func + (left: FailureCount, right: FailureCount) -> FailureCount {
        FailureCount(
            failures: LatencySketch.sum(left.failures, right.failures),
            queries: LatencySketch.sum(left.queries, right.queries)
        )
    }

    package static func += (left: inout FailureCount, right: FailureCount) { left = left + right }
}
