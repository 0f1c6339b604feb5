package import Samples
package import Statistics

extension CountedSamples {
    /// Returns the queries of each round from a place that count for `objective`, per resolver, in the order
    /// of the rounds. Times are since 1970.
    package func rounds(
        within objective: ServiceObjective,
        from vantage: String
    ) -> [Recording.Target: [ObjectiveRound]] {
        struct Place: Hashable {
            var target: Int32
            var round: Int32
        }
        let found = sums(of: Figures()) { sample, round in
            recording.runs[Int(round.run)].vantage == vantage
                ? Place(target: sample.target, round: sample.round) : nil
        } add: { figures, _, sample, _ in
            figures.add(sample.observation, in: recording.targets[Int(sample.target)].series)
        }
        var known: [Recording.Target: [ObjectiveRound]] = [:]
        for (place, figures) in found {
            let count = figures.count(within: objective)
            guard count.queries > 0 else { continue }
            let round = recording.rounds[Int(place.round)]
            known[recording.targets[Int(place.target)], default: []]
                .append(ObjectiveRound(start: round.started.nanoseconds, count: count))
        }
        return known.mapValues { $0.sorted { $0.start < $1.start } }
    }
}
