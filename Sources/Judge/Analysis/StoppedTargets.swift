package import Samples

/// Resolvers that a comparison asked only in its first rounds.
package struct StoppedTargets: Sendable {
    /// The queries of one run to one resolver at one place.
    package struct Stop: Hashable, Sendable {
        /// The time of the last query.
        package fileprivate(set) var moment: Timestamp
        /// The number of rounds that asked it, and of all rounds of the run.
        package fileprivate(set) var rounds: Int
        package fileprivate(set) var roundsOfRun: Int
        package fileprivate(set) var queries: Int
    }

    private struct Tally {
        var rounds: Set<Int32> = []
        var last = Timestamp(nanoseconds: .min)
        var queries = 0

        mutating func add(_ sample: Sample, inRound number: Int32) {
            rounds.insert(number)
            last = max(last, sample.moment)
            queries += 1
        }

        mutating func merge(_ other: Tally) {
            rounds.formUnion(other.rounds)
            last = max(last, other.last)
            queries += other.queries
        }
    }

    /// The rounds of each run.
    private var rounds: [String: Set<Int32>] = [:]
    private var tallies: [HistoryHours.Subject: [String: Tally]] = [:]

    package init() {}

    /// Adds the queries of comparisons that were sent at `since` or later.
    package mutating func add(
        _ counted: CountedSamples,
        since: Timestamp = Timestamp(nanoseconds: .min)
    ) {
        let recording = counted.recording
        guard recording.runs.contains(where: { $0.origin == .compare }) else { return }
        struct Place: Hashable { var (run, target): (Int32, Int32) }
        var found: [Place: Tally] = [:]
        for sample in recording.samples where sample.moment >= since {
            guard let round = recording.round(of: sample),
                recording.runs.indices.contains(Int(round.run)),
                recording.runs[Int(round.run)].origin == .compare
            else { continue }
            let place = Place(run: round.run, target: sample.target)
            found[place, default: Tally()].add(sample, inRound: round.number)
        }
        for (place, tally) in found {
            let run = recording.runs[Int(place.run)]
            let subject = HistoryHours.Subject(
                vantage: run.vantage,
                target: recording.targets[Int(place.target)]
            )
            rounds[run.id, default: []].formUnion(tally.rounds)
            tallies[subject, default: [:]][run.id, default: Tally()].merge(tally)
        }
    }

    /// Returns, in order, the stops of a resolver in runs that continued without it. The last round of a run
    /// may be incomplete, so it does not count.
    package func stops(of subject: HistoryHours.Subject) -> [Stop] {
        (tallies[subject] ?? [:]).compactMap { run, tally in
            guard let all = rounds[run], let end = all.max(), let last = tally.rounds.max(),
                last + 1 < end
            else { return nil }
            return Stop(
                moment: tally.last,
                rounds: tally.rounds.count,
                roundsOfRun: all.count,
                queries: tally.queries
            )
        }
        .sorted { $0.moment < $1.moment }
    }
}
