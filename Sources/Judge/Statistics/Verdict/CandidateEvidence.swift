/// The evidence about one candidate compared with the baseline, and the conclusions so far.
struct CandidateEvidence: Hashable, Sendable {
    /// The rounds that have a pair, in order.
    private(set) var rounds: [PairedRound] = []
    /// U of each round at the margin.
    private(set) var shares: [Double] = []
    /// Evidence that U is above ½, or below.
    private(set) var speed = EProcess()
    /// Evidence that the candidate fails more often than the baseline in most rounds. Rounds with equal
    /// shares of failures are excluded.
    ///
    /// The sign of F is used, because a mean of F is small and would hardly ever be conclusive.
    private(set) var failures = EProcess()
    private(set) var baselineFailures = FailureCount()
    private(set) var candidateFailures = FailureCount()
    private let margin: Double
    private var differenceSum = 0.0
    private var differences = 0
    /// Bounds of the median difference: whether it is +∞, and whether it is at least −margin. They are read
    /// after each round.
    private var silence = MedianBound(.infinity)
    private var nearness: MedianBound
    private var days: Set<Int> = []
    /// Whether the candidate is faster by more than the margin; `nil` until that is established.
    private(set) var isFaster: Bool?
    private(set) var isFailingMore = false
    /// The progress of the candidate's time to content; `nil` if time to content does not count.
    var content: ContentProgress?
    /// The level of the candidate's test of speed. It depends on the other candidates of the comparison.
    private(set) var level: Double

    init(level: Double, margin: Double) {
        (self.level, self.margin) = (level, margin)
        nearness = MedianBound(-margin)
    }

    mutating func add(_ round: PairedRound) {
        guard let share = round.shares(above: margin), let excess = round.failureExcess
        else { return }
        rounds.append(round)
        for difference in round.pairs where !difference.isNaN {
            silence.add(difference)
            nearness.add(difference)
        }
        shares.append(share.middle)
        speed.add(share)
        failures.add(signOf: excess)
        baselineFailures += round.baselineFailures
        candidateFailures += round.candidateFailures
        differenceSum += round.differenceSum
        differences += round.differences
        if let day = round.day { days.insert(day) }
    }

    /// Stores the current results of the tests.
    mutating func establish(isFaster: Bool?, isFailingMore: Bool, level: Double) {
        (self.isFaster, self.isFailingMore, self.level) = (isFaster, isFailingMore, level)
    }

    /// Returns whether the rounds, and the days they cover, are enough for a verdict.
    func suffices(for rules: ComparisonRules) -> Bool {
        rounds.count >= rules.minimumRounds && days.count >= rules.minimumDays
    }

    /// Returns the reason against a `switch` of a faster candidate; `nil` without an objection.
    func obstacle(by rules: ComparisonRules) -> VerdictReason? {
        if candidateFailures.exceeds(baselineFailures) { return .reliability }
        if let meanDifference, meanDifference < 0 { return .tail }
        if content == .open { return .edge }
        return isLossKnown(by: rules) ? nil : .lossUnknown
    }

    /// Returns whether the queries exclude that the candidate fails more often than the baseline by more than
    /// the tolerance.
    func isLossKnown(by rules: ComparisonRules) -> Bool {
        guard let tolerance = rules.lossTolerance else { return true }
        let upper = ProportionInterval.anytime(
            successes: candidateFailures.failures,
            of: candidateFailures.queries
        ).upperBound
        return upper <= (baselineFailures.rate ?? 0) + tolerance
    }

    /// The reason for `keep`: the candidate is slower, or about the same within a positive margin.
    var reasonToKeep: VerdictReason {
        margin > 0 && nearness.isReached ? .withinMargin : .slower
    }

    /// The reason for `switch`. ``VerdictReason/baselineSilent`` means that the baseline left at least half
    /// of the pairs unanswered that the candidate answered.
    var reasonToSwitch: VerdictReason { silence.isReached ? .baselineSilent : .faster }

    /// The median difference in milliseconds, possibly infinite. Pairs in which both failed are excluded.
    /// `nil` without pairs, and if the middle is between −∞ and +∞.
    var medianDifference: Double? {
        let median = rounds.flatMap(\.pairs).filter { !$0.isNaN }.median
        return median?.isNaN == true ? nil : median
    }

    /// The mean of the rounds' differences, in milliseconds; `nil` without any. In rounds with a timeout, a
    /// failure counts as the timeout.
    var meanDifference: Double? { differences > 0 ? differenceSum / Double(differences) : nil }

    /// Whether the 95 % t interval of the rounds' mean differences is entirely below zero.
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

/// The number of failed queries of a resolver, and of all its queries.
package struct FailureCount: Hashable, Sendable {
    package var failures: Int
    package var queries: Int

    package init(failures: Int = 0, queries: Int = 0) {
        self.failures = failures
        self.queries = queries
    }

    /// Counts the failures among these outcomes. Missing outcomes are excluded.
    package init(_ outcomes: [QueryOutcome]) {
        self.init(
            failures: outcomes.count { $0 == .failed },
            queries: outcomes.count { $0 != .missing }
        )
    }

    /// The share of failures, 0 to 1; `nil` without queries.
    package var rate: Double? { queries > 0 ? Double(failures) / Double(queries) : nil }

    /// Returns whether this resolver fails more often than `other`, by over half a percentage point and by
    /// over one query.
    ///
    /// If one query in 200 costs a retry after 5 s, the mean is 25 ms worse.
    package func exceeds(_ other: FailureCount) -> Bool {
        guard queries > 0, other.queries > 0 else { return false }
        // Multiplied out, so that rounding does not make exactly half a point exceed the limit.
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
