public import Measurement

extension Recording {
    /// The rounds, run after run in the order in which these began. A round is whole where each
    /// resolver of a series that was asked in it has every question of the series in its run.
    var measuredRounds: [(key: RoundKey, round: MeasuredRound)] {
        var rounds: [RoundKey: [Sample]] = [:]
        var starts: [Int32: Timestamp] = [:]
        var shapes: [RunSeries: RunShape] = [:]
        for sample in samples {
            guard targets.indices.contains(Int(sample.target)) else { continue }
            rounds[RoundKey(run: sample.run, round: sample.round), default: []].append(sample)
            let moment = sample.observation.sent ?? sample.scheduled
            starts[sample.run] = min(starts[sample.run] ?? moment, moment)
            let place = RunSeries(run: sample.run, series: targets[Int(sample.target)].series)
            shapes[place, default: RunShape()].insert(sample)
        }
        let order = rounds.keys.sorted { left, right in
            (starts[left.run] ?? Timestamp(nanoseconds: 0), left.run, left.round)
                < (starts[right.run] ?? Timestamp(nanoseconds: 0), right.run, right.round)
        }
        return order.map { key in
            let samples = rounds[key] ?? []
            let isWhole = Series.allCases.allSatisfy { series in
                let asked = samples.filter { targets[Int($0.target)].series == series }
                let places = Set(asked.map { [$0.target, $0.question] })
                let shape = shapes[RunSeries(run: key.run, series: series)]
                return asked.isEmpty || places.count >= shape?.queries ?? 0
            }
            return (key, MeasuredRound(number: Int(key.round), samples: samples, isWhole: isWhole))
        }
    }

    /// The recording with a word in the samples of `rounds` that they are no evidence, as those of
    /// ``EvidenceFeed/unusedRounds``.
    public func leavingUnused(_ rounds: [Int]) -> Recording {
        let unused = Set(rounds)
        var recording = self
        for index in recording.samples.indices
        where unused.contains(Int(recording.samples[index].round)) {
            recording.samples[index].observation.add(detail: MeasuredRound.unusedWord)
        }
        return recording
    }
}

extension MeasuredRound {
    /// What the detail of the samples of a round says that is no evidence.
    static let unusedWord = "no evidence"

    /// Whether its samples say that it is no evidence.
    var isUnused: Bool {
        samples.contains { $0.observation.extras?.detail?.contains(Self.unusedWord) == true }
    }
}

private struct RunSeries: Hashable {
    var run: Int32
    var series: Series
}

/// What a run asks in one series.
private struct RunShape {
    private var targets: Set<Int32> = []
    private var questions: Set<Int32> = []

    mutating func insert(_ sample: Sample) {
        targets.insert(sample.target)
        questions.insert(sample.question)
    }

    /// Of one round.
    var queries: Int { targets.count * questions.count }
}

extension Observation {
    /// Adds a word to what is told of it.
    fileprivate mutating func add(detail word: String) {
        extras = Extras(
            connect: extras?.connect,
            handshake: extras?.handshake,
            udp: extras?.udp,
            site: extras?.site,
            extendedErrors: extras?.extendedErrors,
            connection: extras?.connection,
            detail: [extras?.detail, word].compactMap(\.self).joined(separator: "; ")
        )
    }
}
