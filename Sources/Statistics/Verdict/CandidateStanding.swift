/// How far the evidence of one candidate has come, while rounds go on.
package struct CandidateStanding: Hashable, Sendable {
    /// The verdict that it has by now; `nil` while more rounds may bring one.
    package var verdict: Verdict?
    /// Why it has it; without one, what stands between being faster and a `switch`.
    package var reason: VerdictReason?
    /// The part of the evidence of speed that a verdict takes, from 0 to 1: of ln E, and of the rounds
    /// without which there is none, whichever is less.
    package var share: Double

    package init(verdict: Verdict? = nil, reason: VerdictReason? = nil, share: Double) {
        self.verdict = verdict
        self.reason = reason
        self.share = share
    }
}

extension ComparisonProcess {
    /// How far each candidate is from its verdict.
    package var standings: [CandidateStanding] {
        // Those that Holm's test has passed ask less of the others.
        let open = candidates.count { $0.isFaster == nil }
        let threshold = EProcess.logThreshold(alpha: rules.alpha / 2, tests: Double(max(1, open)))
        return candidates.indices.map { index in
            let evidence = candidates[index]
            if let (verdict, reason) = verdict(of: index) {
                return CandidateStanding(verdict: verdict, reason: reason, share: 1)
            }
            if evidence.isFaster == true {
                return CandidateStanding(reason: evidence.obstacle, share: 1)
            }
            let logE = max(evidence.speed.maximumLogEAbove, evidence.speed.maximumLogEBelow)
            let rounds = Double(evidence.rounds.count) / Double(rules.minimumRounds)
            return CandidateStanding(share: min(logE / threshold, rounds, 1))
        }
    }
}
