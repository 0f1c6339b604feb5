import DNSWire
import Samples
import Statistics

/// What a resolver is the same by in two recordings.
struct RunSubject: Hashable {
    /// Without its endpoint.
    let target: Recording.Target

    init(_ target: Recording.Target) {
        var target = target
        target.endpoint = ""
        self.target = target
    }
}

/// What a question is the same by in two recordings.
typealias RunQuestion = Question

/// The whole rounds of a recording in their order, by what is the same in another recording.
struct RunRounds {
    private(set) var rounds: [[RunSubject: [RunQuestion: QueryOutcome]]] = []
    /// In the order of the targets, each once.
    private(set) var subjects: [RunSubject] = []
    /// The first target of each.
    private(set) var places: [RunSubject: Int] = [:]
    private(set) var figures: [RunSubject: ResolverRow] = [:]

    init(of recording: Recording) {
        let tallies = Tally.tallies(of: recording, timeout: .seconds(5))
        for (index, target) in recording.targets.enumerated() {
            let subject = RunSubject(target)
            guard places[subject] == nil else { continue }
            places[subject] = index
            subjects.append(subject)
            var row = ResolverRow(
                target: target,
                name: target.label,
                counts: tallies[index].counts,
                latency: tallies[index].latency,
                isBaseline: false
            )
            row.connections = tallies[index].connectionFigures
            figures[subject] = row
        }
        for (round, samples) in recording.wholeRounds where round.isWhole && round.marks.isEmpty {
            var outcomes: [RunSubject: [RunQuestion: QueryOutcome]] = [:]
            for sample in samples {
                let subject = RunSubject(recording.targets[Int(sample.target)])
                let question = recording.questions[Int(sample.question)]
                outcomes[subject, default: [:]][question] = QueryOutcome(
                    sample.observation,
                    in: subject.target.series
                )
            }
            rounds.append(outcomes)
        }
    }
}
