import Samples
import Statistics

/// What resolvers that were asked with and without encryption say of the two, added up as a window
/// is read: round by round where the window is short, else hour by hour.
struct TransportEvidence: Sendable {
    private let labels: Set<String>
    /// `nil` where it is too much to go by rounds.
    private var recording: Recording?
    /// In the order in which they came.
    private var targets: [Recording.Target] = []
    private var places: [Recording.Target: Int] = [:]
    /// Of each target.
    private var hours: [[Int: LatencyTally]] = []
    /// The shortest.
    private var timeout: Duration?

    /// Of those among `targets` that were asked both ways; `rounds` are all of the window.
    init(among targets: [Recording.Target], rounds: [RoundMoment]) {
        labels = targets.labelsAskedBothWays
        guard let first = rounds.map(\.started).min(), let last = rounds.map(\.started).max(),
            ComparisonRules.Unit.fitting(rounds: rounds.count, from: first, to: last) == .round
        else { return }
        recording = Recording(runs: [], targets: [], questions: [])
    }

    /// Adds samples, none of which is of a marked round.
    mutating func add(_ piece: Recording) {
        let isWanted = piece.targets.map(isWanted)
        guard isWanted.contains(true) else { return }
        var part = piece
        part.samples.removeAll { sample in
            !isWanted.indices.contains(Int(sample.target)) || !isWanted[Int(sample.target)]
        }
        recording?.merge(part)
        let places = zip(piece.targets, isWanted).map { $1 ? place(of: $0) : -1 }
        for sample in part.samples {
            let observation = sample.observation
            let hour = sample.moment.hoursSinceEpoch
            let place = places[Int(sample.target)]
            switch QueryOutcome(observation, in: targets[place].series) {
            case .answered(let time):
                hours[place][hour, default: LatencyTally()].insert(answer: time)
            case .failed: hours[place][hour, default: LatencyTally()].insertNonAnswer()
            case .missing: break
            }
        }
        for run in piece.runs { limit(to: run.timeout) }
    }

    /// Adds an hour of which no samples are read.
    mutating func add(_ sum: HourlySum) {
        guard isWanted(sum.target) else { return }
        recording = nil
        let place = place(of: sum.target)
        hours[place][sum.hour.hoursSinceEpoch, default: LatencyTally()].merge(sum.latency)
        limit(to: sum.timeout)
    }

    /// First queries are encrypted all.
    private func isWanted(_ target: Recording.Target) -> Bool {
        target.series != .first && labels.contains(target.label)
    }

    private mutating func place(of target: Recording.Target) -> Int {
        if let place = places[target] { return place }
        places[target] = targets.count
        targets.append(target)
        hours.append([:])
        return targets.count - 1
    }

    private mutating func limit(to other: Duration) { timeout = min(timeout ?? other, other) }

    // MARK: - What it says

    /// What encryption costs, in the order of `rows`, which are of the same window.
    func costs(_ rows: [ResolverRow]) -> [EncryptionCost] {
        guard !targets.isEmpty else { return [] }
        let rules = ComparisonRules(unit: recording == nil ? .hour : .round)
        let targets = recording?.targets ?? targets
        var feed = EvidenceFeed(
            targets: targets,
            questions: recording?.questions ?? [],
            baseline: nil,
            rules: rules
        )
        if let recording {
            feed.add(recording)
        } else {
            feed.add(hours: hours, timeout: timeout)
        }
        func place(_ cost: EncryptionCost) -> Int {
            rows.firstIndex { row in
                row.target.label == cost.label && row.target.transport == cost.encrypted
            } ?? .max
        }
        let costs = EncryptionCost.all(
            feed.evidenceOfTransports(),
            of: targets,
            rows: rows,
            rules: rules
        )
        return costs.enumerated()
            .sorted { (place($0.element), $0.offset) < (place($1.element), $1.offset) }
            .map(\.element)
    }
}
