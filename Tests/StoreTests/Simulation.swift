import DNSWire
import Samples
import Store

/// Rounds with every kind of sample. The same seed gives the same rounds.
struct Simulation {
    var targets: [Recording.Target] = ["home", "work", "far"].enumerated().map { index, label in
        Recording.Target(
            label: label,
            endpoint: "127.0.\(index).1:53",
            transport: index == 2 ? "tcp" : "udp",
            series: index == 1 ? .uncached : .cached
        )
    }
    var questions: [Question]
    var vantage = "here"
    var timeout = Duration.seconds(5)
    /// Whether flags only repeat the words of the details, as in stores of versions without flags. Samples
    /// then also omit other newer values.
    var hasOnlyOldFlags = false
    /// Whether samples have packets, which versions before 16 do not store.
    var hasPackets = true
    private var state: UInt64 = 0

    init(seed: UInt64 = 1) throws {
        questions = [
            Question(name: try DomainName("example.com"), type: .a),
            Question(name: try DomainName("Example.org"), type: .aaaa),
            Question(name: try DomainName("a\\000b.example"), type: .a),
        ]
        state = seed
    }

    /// The start of the first round: 2026-11-21T03:00:00Z.
    static let start = Timestamp(nanoseconds: 1_795_230_000_000_000_000)

    mutating func random(_ below: UInt64) -> Int64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int64((state >> 33) % below)
    }

    func run(_ name: String, origin: Run.Origin = .sample) -> Run {
        Run(
            id: name,
            vantage: vantage,
            timeout: timeout,
            origin: origin,
            started: Self.start,
            interval: .seconds(300),
            seed: .max
        )
    }

    /// Returns a round that starts at `start`, with every target and question.
    mutating func round(_ number: Int = 1, at start: Timestamp = Self.start) -> Recording {
        var samples: [Sample] = []
        for question in questions.indices {
            for target in targets.indices {
                let offset = Int64(samples.count) * 70_000_000 + random(1_000_000)
                samples.append(
                    Sample(
                        round: 0,
                        target: Int32(target),
                        question: Int32(question),
                        scheduled: start.advanced(by: .nanoseconds(offset)),
                        observation: observation(start.advanced(by: .nanoseconds(offset)))
                    )
                )
            }
        }
        return Recording(rounds: [Round(number: Int32(number), started: start)], samples: samples)
    }

    private mutating func observation(_ scheduled: Timestamp) -> Observation {
        let draw = random(20)
        // Older versions have no outcome for wrong answers.
        let outcome =
            draw >= 12
            ? Outcome.allCases[Int(draw) - 12] : draw == 0 && !hasOnlyOldFlags ? .wrong : .answered
        var observation = Observation(outcome: outcome, clock: ClockSource.allCases[Int(random(3))])
        if outcome != .offline && outcome != .blocked {
            observation.lateness = random(90_000)
            let skew = random(3) == 0 ? 0 : random(2000) - 1000
            observation.sent = scheduled.advanced(by: .nanoseconds(observation.lateness + skew))
        }
        if outcome.isResponse {
            observation.roundTrip = 5_000_000 + random(40_000_000)
            observation.responseCode =
                outcome == .failed
                ? ResponseCode(rawValue: UInt16([2, 5, 3841][Int(random(3))]))
                : [.noError, .nxDomain, nil][Int(random(3))]
            observation.answers = random(4) == 0 ? nil : UInt16(random(65_536))
            observation.ttl = [nil, 0, .max, UInt32(random(90_000))][Int(random(4))]
            observation.size = random(2) == 0 ? nil : UInt32(random(70_000))
            observation.cache = [nil, .hit, .miss][Int(random(3))]
        }
        if random(4) == 0 {
            let detail = [nil, "no, \"ä\" 🙂", "x; certificate not verified; ignored 1"][
                Int(random(3))
            ].map(Detail.init(_:))
            let flags = SampleFlags(rawValue: [0, 1, 2, 3, 4, 5, 512, 256][Int(random(8))])
            observation.extras = .init(
                connect: random(2) == 0 ? nil : random(9_000_000),
                handshake: random(2) == 0 ? nil : random(9_000_000),
                udp: random(2) == 0 ? nil : random(9_000_000),
                edge: hasOnlyOldFlags ? nil : Int64(flags.rawValue) * 1_000_000,
                site: [nil, "lon1", "fra\\003"][Int(random(3))],
                extendedErrors: [nil, "15 17"][Int(random(2))],
                connection: [nil, .new, .reused][Int(random(3))],
                detail: detail,
                cause: hasOnlyOldFlags || flags.isEmpty
                    ? nil : FailureCause(.httpStatus, "301 /\(flags.rawValue)"),
                flags: hasOnlyOldFlags ? SampleFlags(detail: detail) : flags,
                networkRTT: hasOnlyOldFlags || random(2) == 0 ? nil : random(9_000_000),
                warmup: hasOnlyOldFlags || random(2) == 0 ? nil : warmup,
                packets: hasOnlyOldFlags || !hasPackets
                    ? nil : PacketCount(bytesOut: 59, bytesIn: .max, packets: 2)
            )
        }
        return observation
    }

    private var warmup: WarmupTally {
        mutating get {
            let (hits, misses) = (UInt32(random(10)), UInt32(random(3)))
            let time = misses > 0 ? 60_000_000 + random(90_000_000) : nil
            return WarmupTally(hits: hits, misses: misses, missTime: time)
        }
    }

    /// Stores `rounds` rounds of one run, which are five minutes apart. Returns the rounds.
    mutating func fill(_ store: Store, run name: String, rounds: Int) throws -> [Recording] {
        try (0..<rounds).map { index in
            let start = Self.start.advanced(by: .seconds(300 * index))
            let round = round(index + 1, at: start)
            try append(round, run: name, to: store)
            return round
        }
    }

    /// Stores a round with the run, the targets and the questions of this simulation.
    func append(
        _ round: Recording,
        run name: String = "r",
        origin: Run.Origin = .sample,
        marks: RoundMarks = [],
        to store: Store
    ) throws {
        try append(round, of: run(name, origin: origin), marks: marks, to: store)
    }

    func append(_ round: Recording, of run: Run, marks: RoundMarks = [], to store: Store) throws {
        var recording = round
        recording.runs = [run]
        recording.targets = targets
        recording.questions = questions
        recording.rounds[0].marks = marks
        try store.append(recording)
    }
}

extension Recording {
    /// Returns the samples as lines of a CSV file. The lines do not depend on the order of runs, targets and
    /// questions.
    func lines() throws -> [String] {
        var bytes: [UInt8] = []
        try SamplesWriter.write(self, as: .csv) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
            .map(String.init)
    }
}
