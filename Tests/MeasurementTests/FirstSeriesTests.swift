import Catalogue
import DNSWire
import Measurement
import Samples
import Testing

/// First queries: their number in a plan, and their time.
struct FirstSeriesTests {
    /// Returns a plan for resolvers over TLS at one address, with new connections. With `kept`, each resolver
    /// also has a kept connection.
    private func plan(kept: Bool = true, names: Int = 5, rounds: Int = 3) throws -> Plan {
        let series: [Series] = kept ? [.cached, .first] : [.first]
        var plan = Plan(
            targets: series.flatMap { series in
                (0..<3).map {
                    Recording.Target(
                        label: "r\($0)",
                        endpoint: "192.0.2.\($0):853",
                        transport: "tls",
                        series: series
                    )
                }
            },
            targetGroups: series.flatMap { _ in 0..<3 },
            questions: try (0..<names).map {
                Question(name: try DomainName("n\($0).example"), type: .a)
            }
        )
        plan.rounds = rounds
        return plan
    }

    @Test func `each name of each round is asked as a first query too`() throws {
        let plan = try plan()
        for round in 1...3 {
            let probes = plan.probes(inRound: round)
            #expect(probes.count == 30)
            #expect(Set(probes.map { [$0.target, $0.question] }).count == 30)
        }
        #expect(plan.probesPerRound == 30 && plan.probeCount == 90)
    }

    @Test(arguments: [true, false])
    func `a warm-up asks for each name once, on any connection`(kept: Bool) throws {
        let plan = try plan(kept: kept)
        let probes = plan.probes(inRound: plan.roundNumbers.lowerBound)
        #expect(plan.roundNumbers.lowerBound == 0)
        #expect(probes.count == 15)
        #expect(probes.allSatisfy { plan.targets[$0.target].series == (kept ? .cached : .first) })
    }

    @Test(arguments: [(5.0, 1000.0), (100, 15)])
    func `all connections together stay within the rates`(rate: Double, totalRate: Double) throws {
        var plan = try plan(names: 30)
        plan.rate = rate
        plan.totalRate = totalRate
        let probes = plan.probes(inRound: 1)
        let roundLength = plan.blockLength * plan.questions.count
        let length = roundLength.nanoseconds
        #expect(Double(probes.count) * 1e9 / Double(length) <= totalRate * 1.001)
        let ofOne = probes.count { plan.targetGroups[$0.target] == 0 }
        #expect(Double(ofOne) * 1e9 / Double(length) <= rate * 1.001)
        #expect(probes.allSatisfy { $0.offset - plan.start(ofRound: 1) < roundLength })
    }

    /// An answer after 3 ms. Its connection took 1 ms to connect and 2 ms for the handshake.
    private var observation: Observation {
        var observation = Observation(outcome: .answered)
        observation.roundTrip = 3_000_000
        observation.extras = .init(connect: 1_000_000, handshake: 2_000_000, connection: .new)
        return observation
    }

    @Test func `the time of a first query ends at the first answer`() {
        #expect(observation.time(in: .first) == 6_000_000)
        // The time of the first query on a kept connection excludes the opening.
        #expect(observation.time(in: .cached) == 3_000_000)
        #expect(observation.time(in: .uncached) == 3_000_000)
        #expect(Observation(outcome: .timeout).time(in: .first) == nil)
        var endless = observation
        endless.extras = .init(connect: .max)
        #expect(endless.time(in: .first) == .max)
    }

    /// Returns one answer per target of the plan.
    private func samples(of plan: Plan) -> [Sample] {
        plan.targets.indices.map {
            Sample(
                round: 0,
                target: Int32($0),
                question: 0,
                scheduled: Timestamp(nanoseconds: 0),
                observation: observation
            )
        }
    }

    @Test func `the live view counts the time to the first answer`() throws {
        let plan = try plan()
        let progress = RunProgress(of: plan)
        for sample in samples(of: plan) { progress.note(sample, inRound: 1) }
        let medians = progress.snapshot(after: .zero).targets.map(\.median)
        #expect(medians == [3, 3, 3, 6, 6, 6])
    }

    @Test func `a matrix has the time to the first answer`() throws {
        let plan = try plan(names: 1)
        let tables = MatrixTables(targets: plan.targets, questions: plan.questions)
        let recording = Recording(
            runs: [.example],
            targets: plan.targets,
            questions: plan.questions,
            samples: samples(of: plan)
        )
        let lines = tables.lines(of: recording).map { String(decoding: $0, as: UTF8.self) }
        let titles = String(decoding: tables.header, as: UTF8.self).split(separator: "\t")
        #expect(titles.first == "r0 tls cached" && titles.dropFirst().first == "r0 tls first")
        #expect(lines == ["3.000\t6.000\t3.000\t6.000\t3.000\t6.000\n"])
    }
}
