import Statistics

extension SeriesEvidenceBuilder {
    /// The candidates that the last round of a run did not ask, with the reason from its rounds.
    ///
    /// The resolvers of a round depend only on earlier rounds. A reader of the run's file therefore derives
    /// the same result as the run.
    var departures: [Int: SeriesEvidence.Departure] {
        guard let baseline, let last = rounds.last else { return [:] }
        let gone = candidates.indices.filter { !last.asked[candidates[$0]] }
        guard !gone.isEmpty else { return [:] }
        let elimination = replayed(baseline)
        return gone.reduce(into: [:]) { departures, candidate in
            let member = candidates[candidate]
            let median = elimination.difference(of: candidate + 1)
            let betters = elimination.departures[candidate + 1]?.betters ?? []
            departures[members[member]] = SeriesEvidence.Departure(
                rounds: rounds.count { $0.asked[member] },
                betters: betters.map { members[$0 == 0 ? baseline : candidates[$0 - 1]] },
                difference: median?.isFinite == true ? median : nil,
                interval: QuantileInterval.ofMedian(elimination.differences(of: candidate + 1))
            )
        }
    }

    /// Returns the elimination after replaying the rounds so far.
    private func replayed(_ baseline: Int) -> Elimination {
        var process = ComparisonProcess(candidates: candidates.count, rules: process.rules)
        process.tampering = self.process.tampering
        var elimination = Elimination(candidates: candidates.count, rules: process.rules)
        for round in rounds {
            let rows = ([baseline] + candidates).map { round.outcomes[$0] }
            process.add(
                rows.dropFirst().map {
                    PairedRound(baseline: rows[0], candidate: $0, timeout: round.timeout)
                }
            )
            elimination.add(rows, process)
        }
        return elimination
    }
}
