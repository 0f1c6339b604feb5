import Catalogue
import DNSWire
import Samples
import SimulatedKernel

/// Compares stored rounds with what really happened to their queries.
struct Truth {
    private let place: Place
    /// What happened while the rounds were measured.
    private let conditions: Conditions
    /// The difference between two readings of clocks, and between an arrival and its reading.
    private static let tolerance: Int64 = 2_000_000

    struct Conditions {
        /// Whether a clock was set.
        var isStepped = false
        /// Whether a machine was suspended, or a process stopped.
        var isStopped = false
        var isDisturbed: Bool { isStepped || isStopped }
        /// Whether the machine had no network for some time, or got another address.
        var isCut = false
        /// The moments at which the machine was suspended.
        var suspensions: [Int64] = []
        /// The wall clock at the start of the first process.
        var began: Int64
    }

    init(_ place: Place, _ conditions: Conditions) {
        (self.place, self.conditions) = (place, conditions)
    }

    func check(_ recording: Recording, _ isPruned: Bool) throws {
        let (run, round) = (recording.runs[0], recording.rounds[0])
        guard run.vantage == place.vantage else {
            throw Violation("a round of \(run.vantage) at \(place.vantage)")
        }
        guard !isPruned else { return }
        let wanted = place.resolvers.count * place.names.count
        guard recording.samples.count == wanted else {
            throw Violation("a round of \(recording.samples.count) samples instead of \(wanted)")
        }
        var questions: [Internet.Question] = []
        for sample in recording.samples {
            if let question = try check(sample, recording) { questions.append(question) }
        }
        try checkMarks(round, recording.samples, questions)
    }

    private func checkMarks(
        _ round: Round,
        _ samples: [Sample],
        _ questions: [Internet.Question]
    ) throws {
        let isSuspended = round.marks.contains(.suspended)
        if isSuspended, !conditions.isStopped {
            throw Violation("a round is marked as suspended, and the machine ran")
        }
        let suspended = questions.first { question in
            guard !question.isRefused, !question.isGarbled, !question.isTruncated else {
                return false
            }
            // The timeout of a query over TCP begins before its connection.
            guard !question.isOverTCP || !question.answers.isEmpty else { return false }
            let end = min(question.answers.first?.moment ?? .max, question.sent + timeout)
            return conditions.suspensions.contains {
                question.sent < $0 && $0 < end - Self.tolerance
            }
        }
        if let suspended, !isSuspended {
            throw Violation(
                "the machine was suspended during a round without the mark, and during the query for "
                    + "\(suspended.name) at \(suspended.sent) ns (\(suspended.facts))"
            )
        }
        guard
            round.marks.contains(.offline)
                || samples.contains(where: { !$0.observation.outcome.wasSent })
        else { return }
        guard conditions.isCut else {
            throw Violation("a round is offline, and the network was there")
        }
    }

    private var timeout: Int64 { Int64(place.timeout) * 1_000_000_000 }

    /// Checks a sample. Returns its query; `nil` if the kernel did not stamp it.
    private func check(_ sample: Sample, _ recording: Recording) throws -> Internet.Question? {
        let observation = sample.observation
        let target = recording.targets[Int(sample.target)]
        let name = "\(recording.questions[Int(sample.question)].name)".lowercased()
        if let time = observation.roundTrip, time < 0 || time > timeout {
            throw Violation("a round trip of \(time) ns with a timeout of \(timeout) ns")
        }
        guard observation.outcome.isResponse == (observation.roundTrip != nil) else {
            throw Violation("\(observation.outcome) with the time \(observation.roundTrip ?? -1)")
        }
        guard let sent = observation.sent else { return nil }
        let end = place.now
        guard conditions.isDisturbed || (conditions.began...end).contains(sent.nanoseconds) else {
            throw Violation("a query was sent at \(sent.nanoseconds), outside its process")
        }
        let found = questions(to: target, at: sent.nanoseconds)
        guard let question = found.first(where: { name == $0.name || name == "\($0.name)." }) else {
            if observation.clock == .kernel {
                throw Violation("nothing asked for \(name) at \(target.label) then")
            }
            return nil
        }
        try check(
            observation,
            question,
            "\(name) at \(target.label) at \(sent.nanoseconds) (\(question.facts); \(observation.outcome) "
                + "\(observation.extras?.detail?.description ?? "") \(observation.flags.text ?? "") "
                + "\(observation.extras?.cause.map { "\($0)" } ?? ""))"
        )
        return question
    }

    private func check(
        _ observation: Observation,
        _ question: Internet.Question,
        _ place: String
    ) throws {
        let times = question.answers.map { $0.moment - question.sent }
        if question.isTruncated {
            if observation.outcome == .malformed, !question.isGarbled {
                throw Violation("malformed, although only truncated: \(place)")
            }
            guard observation.outcome == .answered || observation.outcome == .failed else { return }
            guard answersOverTCP(question).contains(observation.codeOfAnswer) else {
                throw Violation("\(observation.outcome) for the truncated answer to \(place)")
            }
            return
        }
        switch observation.outcome {
        case .answered, .failed:
            guard !question.answers.isEmpty else {
                throw Violation("\(observation.outcome) for \(place), which nothing answered")
            }
            let isReal = question.answers.contains { answer in
                let time = answer.moment - question.sent - (observation.roundTrip ?? 0)
                return answer.code == observation.codeOfAnswer
                    && (abs(time) < Self.tolerance || conditions.isStopped)
            }
            guard isReal else {
                throw Violation(
                    "\(observation.outcome) after \(observation.roundTrip ?? -1) ns for \(place), "
                        + "whose answers took \(times) ns"
                )
            }
            try checkClock(observation, question, place)
        case .timeout:
            guard !conditions.isStopped, let first = times.first else { return }
            guard first > timeout - Self.tolerance else {
                throw Violation("a timeout for \(place), whose answer took \(first) ns")
            }
        case .malformed:
            guard question.isGarbled else {
                throw Violation("malformed, which nothing was: \(place)")
            }
        case .unreachable:
            guard question.isRefused || conditions.isCut || question.isOverTCP else {
                throw Violation("unreachable, without a reason: \(place)")
            }
        case .filtered, .offline, .blocked, .wrong:
            throw Violation("\(observation.outcome) for \(place)")
        }
    }

    /// The kernel's stamps are the most exact ones, and must be used if there are any.
    private func checkClock(
        _ observation: Observation,
        _ question: Internet.Question,
        _ place: String
    ) throws {
        guard !conditions.isDisturbed, question.answers.allSatisfy(\.isStamped) else { return }
        guard observation.clock == .kernel else {
            throw Violation("the clock \(observation.clock?.description ?? "") for \(place)")
        }
    }

    /// The codes of the answers over TCP to the same question, after a truncated answer.
    private func answersOverTCP(_ truncated: Internet.Question) -> [UInt8] {
        Internet.current.questions.values.joined()
            .filter {
                $0.isOverTCP && $0.process == truncated.process && $0.address == truncated.address
                    && $0.name == truncated.name && $0.sent > truncated.sent
            }
            .flatMap(\.answers).map(\.code)
    }

    private func questions(to target: Recording.Target, at wall: Int64) -> [Internet.Question] {
        guard let bytes = target.address?.bytes, bytes.count == 4 else { return [] }
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Internet.current.questions[
            .init(machine: place.index, address: address, wall: wall)
        ] ?? []
    }
}

extension Observation {
    /// The response code that the answer must have had.
    fileprivate var codeOfAnswer: UInt8 { outcome == .failed ? 2 : 0 }
}

extension Internet.Question {
    /// What happened to the query, for the description of a violation.
    fileprivate var facts: String {
        let kinds = [
            (isOverTCP, "over TCP"), (isTruncated, "truncated"), (isRefused, "refused"),
            (isGarbled, "garbled"),
        ]
        let words = kinds.filter(\.0).map(\.1)
        return (words + answers.map { "code \($0.code) after \($0.moment - sent) ns" }).joined(
            separator: ", "
        )
    }
}

extension Recording {
    /// The time from the first query to the last outcome, in nanoseconds since 1970; `nil` if nothing was
    /// sent.
    func span(_ timeout: Int64) -> (run: String, start: Int64, end: Int64)? {
        let sent = samples.filter(\.observation.outcome.wasSent)
        let start = sent.map(\.moment.nanoseconds).min()
        let ends = sent.map { sample in
            // The timeout of a query over TCP begins before its connection.
            let isOver =
                sample.observation.outcome != .timeout
                || targets[Int(sample.target)].transport.kind != .udp
            return sample.moment.nanoseconds
                + (sample.observation.roundTrip ?? (isOver ? 0 : timeout))
        }
        guard let start, let end = ends.max() else { return nil }
        return (runs[0].id, start, end)
    }
}
