/// The comparison of candidates with a baseline, round after round: it may be looked at after each,
/// and stopped once every candidate has a verdict.
///
/// All the evidence so far decides, of a run under way as of a finished history: a verdict that later
/// rounds speak against goes, and verdict, interval and figures are of the same rounds. At whichever
/// round one stops, E is right (Ville 1939).
package struct ComparisonProcess: Hashable, Sendable {
    /// Why no more rounds come.
    package enum Ending: Hashable, Sendable {
        case budgetSpent, interrupted
    }

    package let rules: ComparisonRules
    /// Candidates that were seen not to tell the truth, by their number: never a `switch`.
    package var tampering: Set<Int> = []
    private(set) var candidates: [CandidateEvidence]
    /// Rounds that were taken, those without a pair too.
    private var taken = 0

    /// Begins without evidence; candidates are numbered from 0.
    package init(candidates: Int, rules: ComparisonRules = ComparisonRules()) {
        self.rules = rules
        let count = max(0, candidates)
        self.candidates = (0..<count).map { _ in
            CandidateEvidence(level: rules.alpha / Double(count), margin: rules.margin)
        }
    }

    /// Takes the next round, one entry a candidate. Rounds come in round order and complete; one
    /// without pairs says nothing of its candidate.
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

    /// Takes the progress of each candidate's time to content, where it counts: then only one that
    /// leads to content faster too is a `switch`.
    package mutating func take(contents: [ContentProgress?]) {
        for (index, content) in contents.enumerated() where candidates.indices.contains(index) {
            candidates[index].content = content
        }
    }

    /// Whether every candidate has a verdict; so it is without candidates.
    package var isDecided: Bool { candidates.indices.allSatisfy { isDecided($0) } }

    package func isDecided(_ candidate: Int) -> Bool { decision(on: candidate) != nil }

    /// The verdict that a candidate has by now; `nil` while more rounds may bring one. After each round
    /// it is asked, so that no differences are sorted for it.
    package func verdict(of candidate: Int) -> (verdict: Verdict, reason: VerdictReason)? {
        guard let reason = decision(on: candidate) else { return nil }
        switch reason {
        case .faster: return (.switch, candidates[candidate].reasonToSwitch)
        case .slower: return (.keep, candidates[candidate].reasonToKeep)
        case .edge: return (.undecided, .edge)
        default: return (.keep, reason)
        }
    }

    /// The reason for a verdict, whatever the median difference says of it.
    private func decision(on candidate: Int) -> VerdictReason? {
        // A t interval is looked at once, at the end.
        guard candidates.indices.contains(candidate), rules.statistic == .median else { return nil }
        let evidence = candidates[candidate]
        if evidence.isFailingMore { return .reliability }
        let isTampering = tampering.contains(candidate)
        // None of its answers could be compared, and more rounds bring none.
        if isTampering, evidence.rounds.isEmpty, taken >= rules.minimumRounds { return .tampering }
        guard let isFaster = evidence.isFaster else { return nil }
        if !isFaster { return .slower }
        if isTampering { return .tampering }
        if evidence.content == .notFaster { return .edge }
        return evidence.obstacle(by: rules) == nil ? .faster : nil
    }

    /// The comparison of each candidate when no more rounds come.
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

    /// With the figures that are the same for every statistic.
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

    /// How far each candidate is from its verdict.
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

/// How far the evidence of one candidate has come, while rounds go on.
package struct EvidenceProgress: Hashable, Sendable {
    /// The verdict that it has by now; `nil` while more rounds may bring one.
    package var verdict: Verdict?
    /// Why it has it; without one, what stands between being faster and a `switch`.
    package var reason: VerdictReason?
    /// The part of the evidence of speed that a verdict takes, from 0 to 1: of ln E, and of the rounds
    /// without which there is none, whichever is less.
    package var share: Double
    /// The rounds after which it was asked no more; `nil` while it is asked.
    package var stoppedAfter: Int?

    package init(verdict: Verdict? = nil, reason: VerdictReason? = nil, share: Double) {
        self.verdict = verdict
        self.reason = reason
        self.share = share
    }
}
