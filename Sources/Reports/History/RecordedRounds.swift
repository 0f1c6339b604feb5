package import Samples

/// The rounds of a recording, and which of them say nothing of any one resolver.
package struct RecordedRounds: Sendable {
    package let log: RoundLog
    /// Of marked rounds only.
    package let marks: [RoundKey: RoundMarks]

    /// Adds `known`, which samples do not tell, to what they do.
    package init(of recording: Recording, known: [RoundKey: RoundMarks] = [:]) {
        var starts: [RoundKey: Timestamp] = [:]
        var answered: Set<RoundKey> = []
        var marks = known
        for sample in recording.samples {
            let key = RoundKey(run: sample.run, round: sample.round)
            starts[key] = min(starts[key] ?? sample.scheduled, sample.scheduled)
            if sample.observation.outcome.isTold { answered.insert(key) }
            if sample.tellsOfSleep { marks[key, default: []].insert(.suspended) }
        }
        // Few rounds are without any answer, so the rule looks at few samples.
        var suspects: [RoundKey: [Sample]] = [:]
        for sample in recording.samples {
            let key = RoundKey(run: sample.run, round: sample.round)
            if !answered.contains(key) { suspects[key, default: []].append(sample) }
        }
        for (key, samples) in suspects {
            let found = RoundMarks.of(samples, targets: recording.targets)
            if !found.isEmpty { marks[key, default: []].formUnion(found) }
        }
        var log = RoundLog()
        for (key, start) in starts {
            let run = Int(key.run)
            let vantage = recording.runs.indices.contains(run) ? recording.runs[run].vantage : ""
            log.add(RoundLog.Round(vantage: vantage, started: start, marks: marks[key] ?? []))
        }
        self.log = log
        self.marks = marks.filter { !$0.value.isEmpty }
    }
}

extension Outcome {
    /// Whether it came from the resolver or its network: then the round is no outage.
    fileprivate var isTold: Bool {
        switch self {
        case .answered, .failed, .unreachable, .malformed, .filtered: true
        case .timeout, .offline, .blocked: false
        }
    }
}
