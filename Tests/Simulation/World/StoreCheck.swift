import DNSWire
import Samples
import Statistics
import Store

/// The content of a store, read once.
struct StoreCheck {
    private(set) var findings: [String]
    /// The rounds with their samples.
    private(set) var rounds: [Expected.Key: Recording] = [:]
    private var pruned: Set<Expected.Key> = []
    private var sums: [Expected.Place: Expected.Sum] = [:]
    private var counts: [Expected.Key: Int] = [:]

    init(_ path: String, _ durability: Store.Durability) throws {
        let store = try Store(path: path, durability: durability, patience: .zero)
        let result = try store.check()
        findings = result.findings + result.unchecked
        let found = try store.rounds(Store.Window(includesMarked: true))
        let whole = try store.recording(Store.Window(includesMarked: true))
        let samples = whole.samplesByRound()
        for (index, round) in whole.rounds.enumerated() {
            var part = whole
            (part.runs, part.rounds) = ([whole.runs[Int(round.run)]], [round])
            part.rounds[0].run = 0
            part.samples = samples[index].map { sample in
                var sample = sample
                sample.round = 0
                return sample
            }
            rounds[Expected.key(of: part)] = part
        }
        for round in found {
            let key = Expected.Key(run: round.run.id, number: round.round.number)
            if counts.updateValue(round.samples, forKey: key) != nil {
                findings.append("round \(key) is stored twice")
            }
            if round.isPruned { pruned.insert(key) }
            if rounds[key] == nil {
                rounds[key] = Recording(
                    runs: [round.run],
                    rounds: [round.round],
                    targets: [],
                    questions: []
                )
            }
        }
        try store.forEachRollup { sum in
            let place = Expected.Place(
                vantage: sum.vantage,
                resolver: sum.target.label,
                hour: sum.hour.hour
            )
            sums[place, default: Expected.Sum()].merge(sum)
        }
    }

    func isPruned(_ key: Expected.Key) -> Bool { pruned.contains(key) }

    func compare(with expected: Expected) throws {
        try compareRounds(with: expected)
        try compareSums(with: expected)
    }

    /// Every expected round is stored, and no other one, with its samples unless they were pruned.
    private func compareRounds(with expected: Expected) throws {
        for key in rounds.keys where expected.rounds[key] == nil {
            throw Violation("round \(key) is stored, and nothing measured it")
        }
        for (key, entry) in expected.rounds {
            guard let found = rounds[key] else { throw Violation("round \(key) is missing") }
            guard isPruned(key) == entry.isPruned else {
                throw Violation("round \(key) is pruned: \(isPruned(key))")
            }
            guard !entry.isPruned else { continue }
            guard counts[key] == entry.recording.samples.count,
                found.digest == entry.digest
            else {
                throw Violation(
                    "the samples of round \(key) have changed: \(found.changes(since: entry.recording))"
                )
            }
        }
    }

    /// The hourly sums are those of all rounds, also of pruned ones.
    private func compareSums(with expected: Expected) throws {
        let wanted = expected.sums
        guard Set(sums.keys) == Set(wanted.keys) else {
            throw Violation(
                "the hours of the sums differ from those of the rounds: "
                    + "found \(Set(sums.keys).subtracting(wanted.keys).map(\.hour)), missing "
                    + "\(Set(wanted.keys).subtracting(sums.keys).map(\.hour))"
            )
        }
        for (place, sum) in wanted {
            guard let found = sums[place], found.sent == sum.sent, found.answered == sum.answered,
                abs(found.time - sum.time) <= Int64(sum.sent)
            else {
                throw Violation(
                    "the sum of \(place) is \(String(describing: sums[place])), not \(sum)"
                )
            }
        }
    }
}

extension Recording {
    /// A number that depends on everything that must not change while samples are stored, and not on their
    /// order.
    var digest: Int {
        samples.reduce(0) { total, sample in
            var hasher = Hasher()
            hasher.combine(targets[Int(sample.target)])
            hasher.combine(questions[Int(sample.question)])
            hasher.combine(sample.scheduled)
            let observation = sample.observation
            hasher.combine(observation.outcome)
            hasher.combine(observation.sent)
            hasher.combine(observation.roundTrip)
            hasher.combine(observation.lateness)
            hasher.combine(observation.clock)
            // Rare facts may be absent as a whole.
            hasher.combine(observation.extras ?? Observation.Extras())
            return total &+ hasher.finalize()
        }
    }
}

extension Recording {
    /// The first sample that differs, as text.
    fileprivate func changes(since earlier: Recording) -> String {
        let texts = { (recording: Recording) in
            Set(
                recording.samples.map { sample in
                    var text = ""
                    var observation = sample.observation
                    observation.extras = observation.extras ?? Observation.Extras()
                    dump(observation, to: &text)
                    return "\(recording.targets[Int(sample.target)].label) \(sample.scheduled) "
                        + text.split(whereSeparator: \.isNewline).joined(separator: " ")
                }
            )
        }
        let (old, new) = (texts(earlier), texts(self))
        return "\(old.subtracting(new).min() ?? "") became \(new.subtracting(old).min() ?? "")"
    }
}

extension Expected.Sum {
    mutating func merge(_ sum: HourlySum) {
        sent += sum.counts.sent
        answered += sum.counts.answered
        time += Int64((sum.figures.latency.sum * 1e6).rounded())
    }
}
