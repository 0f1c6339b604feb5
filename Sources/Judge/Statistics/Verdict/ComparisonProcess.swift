/// The comparison of candidates with a baseline, round by round. It may be examined after each round, and
/// stopped once every candidate has a verdict.
///
/// All evidence so far decides, in a current run and in a finished history alike. A verdict is withdrawn if
/// later rounds contradict it. Verdict, interval and figures are from the same rounds. E is valid at every
/// round at which the comparison stops (Ville 1939).
package struct ComparisonProcess: Hashable, Sendable {
    /// The reason why no more rounds follow.
    package enum Ending: Hashable, Sendable {
        case budgetSpent, interrupted
    }

    package let rules: ComparisonRules
    /// The numbers of the candidates that gave false answers. They never get a `switch`.
    package var tampering: Set<Int> = []
    private(set) var candidates: [CandidateEvidence]
    /// The number of rounds, including rounds without a pair.
    private var taken = 0

    /// Creates a comparison without evidence. Candidates are numbered from 0.
    package init(candidates: Int, rules: ComparisonRules = ComparisonRules()) {
        self.rules = rules
        let count = max(0, candidates)
        self.candidates = (0..<count).map { _ in
            CandidateEvidence(level: rules.alpha / Double(count), margin: rules.margin)
        }
    }

    /// Adds the next round, with one entry per candidate. Rounds must be complete and in order. An entry
    /// without pairs is ignored.
    package mutating func add(_ round: [PairedRound]) {
        taken += 1
        for (index, paired) in round.enumerated() where candidates.indices.contains(index) {
            candidates[index].add(paired)
        }
        let speeds = HolmTest(candidates.map(\.speed.logPValue), alpha: rules.alpha)
        let failures = HolmTest(candidates.map(\.failures.logPValueAbove), alpha: rules.alpha)
        for (index, evidence) in candidates.enumerated() {
            let isEnough = evidence.suffices(for: rules)
            candidates[index].establish(
                isFaster: isEnough && speeds.rejections[index]
                    ? evidence.speed.logEAbove > evidence.speed.logEBelow : nil,
                isFailingMore: isEnough && failures.rejections[index],
                level: speeds.levels[index]
            )
        }
    }

    /// Stores the progress of each candidate's time to content; `nil` if it does not count. If it counts, a
    /// `switch` requires a shorter time to content too.
    package mutating func take(contents: [ContentProgress?]) {
        for (index, content) in contents.enumerated() where candidates.indices.contains(index) {
            candidates[index].content = content
        }
    }

    /// Whether every candidate has a verdict; true without candidates.
    package var isDecided: Bool { candidates.indices.allSatisfy { isDecided($0) } }

    package func isDecided(_ candidate: Int) -> Bool { decision(on: candidate) != nil }

    /// Returns the current verdict on a candidate; `nil` while more rounds may bring one. It is called after
    /// each round, so it sorts no differences.
    package func verdict(of candidate: Int) -> (verdict: Verdict, reason: VerdictReason)? {
        guard let reason = decision(on: candidate) else { return nil }
        switch reason {
        case .faster: return (.switch, candidates[candidate].reasonToSwitch)
        case .slower: return (.keep, candidates[candidate].reasonToKeep)
        case .edge: return (.undecided, .edge)
        default: return (.keep, reason)
        }
    }

    /// Returns the reason for a verdict, without regard to the median difference; `nil` without a verdict.
    private func decision(on candidate: Int) -> VerdictReason? {
        // A t interval is examined once, at the end.
        guard candidates.indices.contains(candidate), rules.statistic == .median else { return nil }
        let evidence = candidates[candidate]
        if evidence.isFailingMore { return .reliability }
        let isTampering = tampering.contains(candidate)
        // None of the candidate's answers could be compared, and more rounds would not change that.
        if isTampering, evidence.rounds.isEmpty, taken >= rules.minimumRounds { return .tampering }
        guard let isFaster = evidence.isFaster else { return nil }
        if !isFaster { return .slower }
        if isTampering { return .tampering }
        if evidence.content == .notFaster { return .edge }
        return evidence.obstacle(by: rules) == nil ? .faster : nil
    }

    /// Returns the comparison of each candidate when no more rounds follow.
    package func comparisons(ending: Ending) -> [Comparison] {
        candidates.indices.map { comparison(of: $0, ending: ending) }
    }

    private func comparison(of candidate: Int, ending: Ending) -> Comparison {
        let evidence = candidates[candidate]
        if rules.statistic == .mean {
            return meanComparison(evidence, isTampering: tampering.contains(candidate), ending)
        }
        let interval = DifferenceInterval(of: evidence.rounds, level: evidence.level)
        let (verdict, reason) =
            verdict(of: candidate) ?? open(evidence, interval: interval, ending: ending)
        let median = evidence.medianDifference
        return comparison(evidence, median, interval, 1 - evidence.level, verdict, reason)
    }

    /// Returns a comparison with the figures that are the same for every statistic.
    func comparison(
        _ evidence: CandidateEvidence,
        _ median: Double?,
        _ interval: DifferenceInterval,
        _ confidence: Double,
        _ verdict: Verdict,
        _ reason: VerdictReason
    ) -> Comparison {
        Comparison(
            unit: rules.unit,
            rounds: evidence.rounds.count,
            pairs: evidence.rounds.reduce(0) { $0 + $1.pairs.count },
            statistic: rules.statistic,
            medianDifference: median?.isFinite == true ? median : nil,
            interval: interval,
            confidence: confidence,
            logEFaster: evidence.speed.logEAbove,
            logESlower: evidence.speed.logEBelow,
            probabilityFaster: evidence.probabilityFaster,
            margin: rules.margin,
            verdict: verdict,
            reason: reason,
            meanDifference: evidence.meanDifference,
            isSlowerOnAverage: evidence.isSlowerOnAverage,
            baselineFailures: evidence.baselineFailures,
            candidateFailures: evidence.candidateFailures,
            autocorrelation: Autocorrelation(of: evidence.shares)
        )
    }

    private func open(
        _ evidence: CandidateEvidence,
        interval: DifferenceInterval,
        ending: Ending
    ) -> (Verdict, VerdictReason) {
        if evidence.isFaster == true, let obstacle = evidence.obstacle(by: rules) {
            return (.undecided, obstacle)
        }
        if ending == .interrupted { return (.undecided, .interrupted) }
        let isClose = evidence.suffices(for: rules) && interval.encloses(rules.margin)
        return (isClose ? .tooClose : .undecided, .budget)
    }

    /// The progress of each candidate towards its verdict.
    package var progress: [EvidenceProgress] {
        candidates.indices.map { index in
            let evidence = candidates[index]
            if let (verdict, reason) = verdict(of: index) {
                return EvidenceProgress(verdict: verdict, reason: reason, share: 1)
            }
            let rounds = Double(evidence.rounds.count) / Double(rules.minimumRounds)
            if rules.statistic == .mean { return EvidenceProgress(share: min(rounds, 1)) }
            if evidence.isFaster == true {
                return EvidenceProgress(reason: evidence.obstacle(by: rules), share: 1)
            }
            let logE = max(evidence.speed.logEAbove, evidence.speed.logEBelow)
            let threshold = EProcess.logThreshold(alpha: evidence.level, tests: 2)
            return EvidenceProgress(share: min(logE / threshold, rounds, 1))
        }
    }
}

/// The progress of one candidate's evidence while rounds continue.
package struct EvidenceProgress: Hashable, Sendable {
    /// The current verdict; `nil` while more rounds may bring one.
    package var verdict: Verdict?
    /// The reason for the verdict. Without a verdict, the objection to a `switch` of a faster candidate.
    package var reason: VerdictReason?
    /// The part of the required evidence of speed, from 0 to 1: of ln E, or of the minimum number of rounds,
    /// whichever is less.
    package var share: Double
    /// The number of rounds after which the candidate was asked no longer; `nil` while it is asked.
    package var stoppedAfter: Int?

    package init(verdict: Verdict? = nil, reason: VerdictReason? = nil, share: Double) {
        self.verdict = verdict
        self.reason = reason
        self.share = share
    }
}
