import DNSWire
import Reports
import Samples

/// A recording with known outcomes, which are the same in each execution.
struct Fixture {
    var targets: [Recording.Target] = []
    var questions: [Question] = []
    var samples: [Sample] = []
    var rounds: Int
    var context: ReportContext
    var origin = Run.Origin.compare

    /// Creates a fixture in which each round asks for `names` names.
    init(rounds: Int, names: Int = 10, types: [RecordType] = [.a]) throws {
        self.rounds = rounds
        let texts = (1...names).map { "name\($0).example" }
        for text in texts {
            for type in types { questions.append(Question(name: try DomainName(text), type: type)) }
        }
        context = ReportContext(
            toolVersion: "1.0.0",
            vantage: "desk",
            started: Timestamp(nanoseconds: 1_795_233_312_000_000_000),
            finished: Timestamp(nanoseconds: 1_795_233_344_250_000_000),
            plan: ReportContext.Plan(
                rounds: rounds,
                interval: .zero,
                timeout: .seconds(5),
                seed: 2009,
                names: texts,
                types: types.map(\.description),
                series: [.cached]
            )
        )
    }

    /// Adds a resolver. Without `endpoint`, each label has its own address. `outcome` returns the outcome of
    /// a query by its number, from 0.
    mutating func add(
        _ label: String,
        endpoint: String? = nil,
        transport: Recording.Transport = "udp",
        series: Series = .cached,
        outcome: (Int) -> Observation
    ) {
        let target = Int32(targets.count)
        let known = targets.first { $0.label == label }?.endpoint
        let port = targets.isEmpty ? 5311 : 5400 + targets.count
        targets.append(
            Recording.Target(
                label: label,
                endpoint: endpoint ?? known ?? "127.0.0.1:\(port)",
                transport: transport,
                series: series
            )
        )
        for number in 0..<(rounds * questions.count) {
            samples.append(
                Sample(
                    round: Int32(number / questions.count),
                    target: target,
                    question: Int32(number % questions.count),
                    scheduled: context.started,
                    observation: outcome(number)
                )
            )
        }
    }

    /// Schedules the queries in their order, at equal distances.
    mutating func space(by distance: Duration) {
        for index in samples.indices {
            samples[index].scheduled = context.started.advanced(by: distance * index)
        }
    }

    var recording: Recording {
        var recording = Recording(
            runs: [
                Run(
                    id: "r1",
                    vantage: context.vantage,
                    timeout: context.plan.timeout,
                    origin: origin
                )
            ],
            rounds: (0..<rounds).map { Round(number: Int32($0 + 1)) },
            targets: targets,
            questions: questions,
            samples: samples
        )
        recording.markRounds()
        return recording
    }

    var report: ComparisonReport { ComparisonReport(of: recording, context: context) }
}

extension Observation {
    /// An answer after `milliseconds`.
    static func answer(_ milliseconds: Double) -> Observation {
        var observation = Observation(outcome: .answered, clock: .kernel)
        observation.responseCode = .noError
        observation.roundTrip = Int64(milliseconds * 1e6)
        return observation
    }

    /// A failure with a response code, after 1 ms.
    static func failure(_ code: ResponseCode) -> Observation {
        var observation = Observation(outcome: .failed, clock: .kernel)
        observation.responseCode = code
        observation.roundTrip = 1_000_000
        return observation
    }

    /// An outcome without an answer.
    static func none(_ outcome: Outcome) -> Observation {
        Observation(outcome: outcome, clock: .kernel)
    }
}

extension Fixture {
    /// Returns answers with latencies above `base`. Most are close to `base`, and one in twenty is far above
    /// it.
    static func spread(_ base: Double, _ width: Double) -> (Int) -> Observation {
        { number in
            // A golden-ratio sequence fills the unit interval evenly, and looks unordered.
            let unit = (Double(number) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            return .answer(base + width * unit * unit * unit + width * 0.1 * unit)
        }
    }

    /// Four resolvers: two equally fast ones, the one in use, and a fast one that loses queries.
    static func lab(rounds: Int = 9) throws -> Fixture {
        var fixture = try Fixture(rounds: rounds)
        fixture.context.baseline = "harbour"
        fixture.context.isBaselineInUse = true
        fixture.context.command = "dnstempo compare --lab"
        fixture.context.chartCommand = "dnstempo compare --lab -o charts.svg"
        fixture.add("harbour", endpoint: "127.0.0.1:5311", outcome: spread(19.1, 24))
        fixture.add("meadow", endpoint: "127.0.0.1:5312", outcome: spread(12.5, 9.8))
        fixture.add("brook", endpoint: "127.0.0.1:5313", outcome: spread(12.7, 11.5))
        let cliff = spread(12.4, 12)
        fixture.add("cliff", endpoint: "127.0.0.1:5314") { number in
            number % 15 == 4 ? .none(.timeout) : cliff(number)
        }
        return fixture
    }
}

extension Fixture {
    /// An interrupted run of two series with every outcome. It also has few samples, late sends, times from
    /// user clocks, stray answers, and one label over two transports.
    static func troubled() throws -> Fixture {
        var fixture = try Fixture(rounds: 3, names: 5, types: [.a, .aaaa])
        fixture.context.baseline = "system"
        fixture.context.isBaselineInUse = true
        fixture.context.isInterrupted = true
        fixture.context.plan.rounds = 10
        fixture.context.plan.series = [.cached, .uncached]
        fixture.add("system", endpoint: "127.0.0.53:53", outcome: spread(0.4, 3))
        let near = spread(8, 30)
        fixture.add("cloudflare@2606:4700:4700::1111", endpoint: "[::1]:5312") { number in
            number % 10 == 3
                ? .failure(.servFail) : number % 10 == 7 ? .none(.filtered) : near(number)
        }
        fixture.add("quad9", endpoint: "127.0.0.2:53", outcome: stray(late(spread(15, 20))))
        fixture.add("quad9", endpoint: "127.0.0.2:853", transport: "tls") { number in
            number % 3 == 0 ? .answer(1200 + Double(number)) : .none(.timeout)
        }
        fixture.add("stone", endpoint: "127.0.0.9:53") { number in
            number < 15 ? .none(.unreachable) : .none(.malformed)
        }
        fixture.add("outside", endpoint: "192.0.2.1:53") { _ in .none(.blocked) }
        fixture.add("system", endpoint: "127.0.0.53:53", series: .uncached) { number in
            number < 10 ? .none(.offline) : number % 7 == 0 ? .failure(.refused) : near(number)
        }
        return fixture
    }

    /// Returns outcomes in which every third query is 31 ms late, and timed by the clock of the process.
    private static func late(_ outcome: @escaping (Int) -> Observation) -> (Int) -> Observation {
        { number in
            var observation = outcome(number)
            guard number % 3 == 0 else { return observation }
            observation.lateness = 31_000_000
            observation.clock = .user
            return observation
        }
    }

    /// Returns outcomes in which a stray message was ignored during the second query.
    private static func stray(_ outcome: @escaping (Int) -> Observation) -> (Int) -> Observation {
        { number in
            var observation = outcome(number)
            if number == 1 {
                observation.extras = Observation.Extras(flags: .strays)
            }
            return observation
        }
    }
}

extension [Warning] {
    /// Returns whether the warnings have the expected codes and beginnings of their texts, in this order.
    /// Each must also have a remedy.
    func are(_ expected: KeyValuePairs<String, String>) -> Bool {
        map(\.code) == expected.map(\.key)
            && zip(self, expected).allSatisfy { $0.text.hasPrefix($1.value) && $0.hasRemedy }
    }
}

extension Warning {
    var hasRemedy: Bool { remedy != nil && !" \(text)".contains(" 1 queries") }
}

extension Report {
    func render(as format: OutputFormat, width: Int = 100, colour: Bool = false) -> String {
        let isText = format == .text
        return (isText ? TextFormat(width: width, colour: colour) : format.writer).render(document)
    }
}

extension DocumentFormat {
    func render(_ report: some Report) -> String { render(report.document) }
}
