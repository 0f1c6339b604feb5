extension ComparisonProcess {
    /// Returns the comparison by the mean difference of the rounds, for names that are each asked once.
    ///
    /// The mean is the time that a look-up of the list gains. It includes cache hits and misses as they
    /// occur.
    /// Each candidate is tested at α divided by the number of candidates. The test of failures is the same as
    /// for the median.
    func meanComparison(
        _ evidence: CandidateEvidence,
        isTampering: Bool,
        _ ending: Ending
    ) -> Comparison {
        let level = rules.alpha / Double(candidates.count)
        let blocks = evidence.rounds.filter { $0.differences > 0 }
            .map { $0.differenceSum / Double($0.differences) }
        let found = MeanInterval(ofBlocks: blocks, alpha: level)
        let interval = found.map { DifferenceInterval(lower: $0.lower, upper: $0.upper) }
        let (verdict, reason) = verdict(
            evidence,
            interval ?? DifferenceInterval(),
            isTampering: isTampering,
            ending
        )
        var comparison = comparison(
            evidence,
            evidence.medianDifference,
            interval ?? DifferenceInterval(),
            1 - level,
            verdict,
            reason
        )
        comparison.meanDifference = found?.mean ?? comparison.meanDifference
        return comparison
    }

    private func verdict(
        _ evidence: CandidateEvidence,
        _ interval: DifferenceInterval,
        isTampering: Bool,
        _ ending: Ending
    ) -> (Verdict, VerdictReason) {
        if evidence.isFailingMore { return (.keep, .reliability) }
        if isTampering, evidence.rounds.isEmpty { return (.keep, .tampering) }
        // The list was not asked to its end.
        if ending == .interrupted { return (.undecided, .interrupted) }
        guard let lower = interval.lower, let upper = interval.upper else {
            return (.undecided, .budget)
        }
        if upper < rules.margin {
            let isAgainst = rules.margin <= 0 || (lower + upper) / 2 < -rules.margin
            return (.keep, isAgainst ? .slower : .withinMargin)
        }
        guard lower > rules.margin else { return (.tooClose, .budget) }
        if isTampering { return (.keep, .tampering) }
        if evidence.candidateFailures.exceeds(evidence.baselineFailures) {
            return (.undecided, .reliability)
        }
        return evidence.isLossKnown(by: rules) ? (.switch, .faster) : (.undecided, .lossUnknown)
    }
}
