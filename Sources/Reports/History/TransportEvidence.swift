import Measurement
import Statistics

/// What resolvers that were asked with and without encryption say of the two, added up as a window
/// is read: round by round where the window is short, else hour by hour.
struct TransportEvidence: Sendable {
    private let labels: Set<String>
    /// `nil` where it is too much to go by rounds.
    private var recording: Recording?
    private var hours: HistoryHours

    /// Of those among `targets` that were asked both ways; `rounds` are all of the window.
    init(among targets: [Recording.Target], rounds: [RoundLog.Round], clock: LocalClock) {
        labels = targets.labelsAskedBothWays
        hours = HistoryHours(clock: clock)
        guard let first = rounds.map(\.started).min(), let last = rounds.map(\.started).max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return }
        recording = Recording(runs: [], targets: [], questions: [])
    }

    /// Adds samples, none of which is of a marked round.
    mutating func add(_ piece: Recording) {
        let isWanted = piece.targets.map { labels.contains($0.label) }
        guard isWanted.contains(true) else { return }
        var part = piece
        part.samples.removeAll { sample in
            !isWanted.indices.contains(Int(sample.target)) || !isWanted[Int(sample.target)]
        }
        recording?.merge(part)
        hours.add(part, logsRounds: false)
    }

    /// Adds an hour of which no samples are read.
    mutating func add(_ sum: HourlySum) {
        guard labels.contains(sum.target.label) else { return }
        recording = nil
        hours.add(sum)
    }

    /// What encryption costs, in the order of `rows`, which are of the same window.
    func costs(_ rows: [ResolverRow]) -> [EncryptionCost] {
        func place(_ cost: EncryptionCost) -> Int {
            rows.firstIndex { row in
                row.target.label == cost.label && row.target.transport == cost.encrypted
            } ?? .max
        }
        return unsorted(rows).enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }

    private func unsorted(_ rows: [ResolverRow]) -> [EncryptionCost] {
        guard !hours.isEmpty else { return [] }
        if let recording {
            let rules = ComparisonRules(unit: .round)
            return EncryptionCost.all(
                SeriesEvidence.all(of: recording, baseline: nil, rules: rules),
                of: recording.targets,
                rows: rows,
                rules: rules
            )
        }
        let rules = ComparisonRules(unit: .hour)
        let courses = hours.hoursByTarget
        return EncryptionCost.all(
            SeriesEvidence.all(ofHours: courses, baseline: nil, rules: rules),
            of: courses.map(\.target),
            rows: rows,
            rules: rules
        )
    }
}
