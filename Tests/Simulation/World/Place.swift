import Catalogue
import DNSWire
import Samples

/// A place that measures rounds. Its wall clock may be set to another time.
struct Place {
    let vantage: String
    private(set) var now: Timestamp
    private var run: Run
    private var rounds: Int32 = 0
    private let questions: [Question]
    private static let resolvers = ["alpha", "beta", "gamma"]
    private static let outcomes: [Outcome] = [
        .timeout, .failed, .unreachable, .malformed, .filtered,
    ]

    init(_ vantage: String, _ random: inout Random) throws {
        self.vantage = vantage
        now = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
            .advanced(by: .seconds(random.number(below: 100_000_000)))
        run = Run(id: "", vantage: vantage, timeout: .seconds(5))
        questions = try ["example.com", "example.net"].map {
            Question(name: try DomainName($0), type: .a)
        }
        begin(&random)
    }

    /// Begins a new run, as after the start of a program.
    mutating func begin(_ random: inout Random) {
        let origin: Run.Origin = random.isOnce(in: 4) ? .sample : .watch
        run = Run(
            id: Run.id(at: now, random: UInt32(truncatingIfNeeded: random.next())),
            vantage: vantage,
            timeout: .seconds(5),
            origin: origin,
            started: now
        )
        rounds = 0
    }

    /// Lets time pass until the next round. The wall clock is sometimes set, by milliseconds up to years.
    mutating func pass(_ random: inout Random) {
        let gaps = [1, 60, 300, 3600, 86_400, 30 * 86_400]
        now = now.advanced(by: .seconds(random.pick(gaps)))
        guard random.isOnce(in: 20) else { return }
        let step = Duration.milliseconds(random.pick([1, 1000, 3_600_000, 31_536_000_000]))
        now = now.advanced(by: random.isOnce(in: 2) ? step : .zero - step)
    }

    /// Measures the next round. Some rounds are excluded, and some are incomplete.
    mutating func round(_ random: inout Random) -> Recording {
        rounds += 1
        let marks: RoundMarks = random.isOnce(in: 12) ? random.pick([.outage, .suspended]) : []
        let count = 1 + random.number(below: Self.resolvers.count)
        var recording = Recording(
            runs: [run],
            rounds: [Round(number: rounds, started: now, marks: marks)],
            targets: Self.resolvers.prefix(count).enumerated().map { index, label in
                .init(
                    label: label,
                    endpoint: "192.0.2.\(index + 1):53",
                    transport: "udp",
                    series: .cached
                )
            },
            questions: questions
        )
        for question in questions.indices {
            for target in 0..<count {
                let delay = Duration.milliseconds(random.number(below: 2000))
                recording.samples.append(
                    Sample(
                        round: 0,
                        target: Int32(target),
                        question: Int32(question),
                        scheduled: now,
                        observation: observation(at: now.advanced(by: delay), &random)
                    )
                )
            }
        }
        return recording
    }

    private func observation(at sent: Timestamp, _ random: inout Random) -> Observation {
        let isAnswered = !random.isOnce(in: 6)
        var observation = Observation(
            outcome: isAnswered ? .answered : random.pick(Self.outcomes),
            clock: .kernel
        )
        observation.sent = sent
        if observation.outcome.isResponse {
            observation.roundTrip = Int64(1 + random.number(below: 400_000)) * 1000
            observation.responseCode = observation.outcome == .failed ? .servFail : .noError
        }
        return observation
    }
}
