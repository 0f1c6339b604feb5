import Samples
import Statistics

/// What resolvers that were asked with and without encryption say of the two, added up as a window
/// is read: round by round where the window is short, else hour by hour.
struct TransportEvidence: HistorySink, Sendable {
    private let labels: Set<String>
    /// `nil` where it is too much to go by rounds.
    private var recording: Recording?
    private var hours = HistoryHours(clock: .utc)

    /// Of those among `targets` that were asked both ways; `rounds` are all of the window.
    init(among targets: [Recording.Target], rounds: [RoundMoment]) {
        labels = targets.labelsAskedBothWays
        guard let first = rounds.map(\.started).min(), let last = rounds.map(\.started).max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return }
        recording = Recording()
    }

    mutating func add(_ piece: Recording) {
        let isWanted = piece.targets.map(isWanted)
        guard isWanted.contains(true) else { return }
        var part = piece
        part.samples.removeAll { sample in
            !isWanted.indices.contains(Int(sample.target)) || !isWanted[Int(sample.target)]
        }
        recording?.merge(part)
        hours.add(part)
    }

    /// Adds an hour of which no samples are read.
    mutating func add(_ sum: HourlySum) {
        guard isWanted(sum.target) else { return }
        recording = nil
        hours.add(sum)
    }

    /// First queries are encrypted all.
    private func isWanted(_ target: Recording.Target) -> Bool {
        target.series != .first && labels.contains(target.label)
    }

    /// What encryption costs, in the order of `rows`, which are of the same window.
    func costs(_ rows: [ResolverRow]) -> [EncryptionCost] {
        let rules = ComparisonRules(unit: recording == nil ? .hour : .round)
        let hours = hours.hoursByTarget
        let targets = recording?.targets ?? hours.map(\.target)
        var feed = EvidenceFeed(
            targets: targets,
            questions: recording?.questions ?? [],
            baseline: nil,
            rules: rules
        )
        if let recording { feed.add(recording) } else { feed.add(hours: hours.map(\.hours)) }
        func place(_ cost: EncryptionCost) -> Int {
            rows.firstIndex { row in
                row.target.label == cost.label && row.target.transport == cost.encrypted
            } ?? .max
        }
        let costs = EncryptionCost.all(
            feed.evidence(ending: .budgetSpent, ranks: false),
            of: targets,
            rows: rows,
            rules: rules
        )
        return costs.enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
