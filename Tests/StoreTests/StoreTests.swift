import DNSWire
import Fixtures
import Samples
import Statistics
import Store
import Testing

struct StoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("store.sqlite") }

    @Test func `samples are read as they were stored, to the nanosecond`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        let rounds = try simulation.fill(store, run: "r", rounds: 60)
        let recording = try Store(path: path, access: .readOnly).recording()
        #expect(recording.runs == [simulation.run("r")])
        #expect(recording.targets == simulation.targets)
        #expect(recording.questions == simulation.questions)
        #expect(recording.rounds.map(\.key) == rounds.map { $0.rounds[0].key })
        let samples = rounds.enumerated().flatMap { index, round in
            round.samples.map { sample in
                var sample = sample
                sample.round = Int32(index)
                return sample
            }
        }
        #expect(Set(recording.samples) == Set(samples))
        #expect(recording.samples.count == 540)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func `times of any size are read as they were stored`(moment: Int64) throws {
        var simulation = try Simulation()
        var round = simulation.round()
        round.samples[3].scheduled = Timestamp(nanoseconds: moment)
        round.samples[4].observation.sent = Timestamp(nanoseconds: moment)
        round.samples[5].observation.lateness = moment
        round.samples[5].observation.roundTrip = moment
        let store = try Store(path: path)
        try simulation.append(round, to: store)
        #expect(Set(try store.recording().samples) == Set(round.samples))
    }

    @Test func `names that differ only in case are one question`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        let spellings = try ["Example.com", "example.com", "EXAMPLE.com"].map { try DomainName($0) }
        for (index, name) in spellings.enumerated() {
            simulation.questions[0].name = name
            try simulation.append(
                simulation.round(
                    index + 1,
                    at: Simulation.start.advanced(by: .seconds(60 * index))
                ),
                to: store
            )
        }
        let recording = try store.recording()
        #expect(recording.questions == simulation.questions)
        #expect(recording.samples.count { $0.question == 0 } == 9)
        #expect(try store.names().count == 3)
        #expect(try store.check().findings == [])
    }

    @Test func `storing a round again changes nothing`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        let rounds = try simulation.fill(store, run: "r", rounds: 3)
        let (before, rollups) = (try store.info(), try store.rollups())
        for round in rounds {
            try simulation.append(round, to: store)
        }
        #expect(try store.info() == before)
        #expect(try store.rollups() == rollups)
    }

    @Test func `holdings count the samples per resolver, vantage point and origin`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        _ = try simulation.fill(store, run: "r", rounds: 7)
        let (holdings, info) = (try store.holdings(), try store.info())
        let first = try #require(info.first)
        let span = try first...#require(info.last)
        let all = [holdings.vantages["here"], holdings.origins[.sample]].compactMap(\.self)
        #expect(all.count == 2 && holdings.vantages.count == 1 && holdings.origins.count == 1)
        for holding in all {
            #expect(holding.rounds == 7 && holding.samples == 63 && holding.span == span)
        }
        #expect(Set(holdings.resolvers.keys.map(\.label)) == ["home", "work", "far"])
        for holding in holdings.resolvers.values {
            #expect(holding.rounds == 7 && holding.samples == 21 && holding.span == span)
        }
        _ = try store.prune(olderThan: span.upperBound.advanced(by: .seconds(86400)))
        let pruned = try store.holdings()
        #expect(pruned.vantages["here"]?.rounds == 7 && pruned.vantages["here"]?.samples == 0)
        #expect(pruned.resolvers.count == 3 && pruned.resolvers.values.allSatisfy { $0 == .init() })
    }

    @Test func `rollups add up to the samples of their hour`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        _ = try simulation.fill(store, run: "r", rounds: 40)
        let recording = try store.recording()
        let rollups = try store.rollups()
        var counted = 0
        for rollup in rollups {
            let end = rollup.hour.advanced(by: .seconds(3600))
            let samples = recording.samples.filter { sample in
                let time = sample.observation.sent ?? sample.scheduled
                return recording.targets[Int(sample.target)] == rollup.target
                    && recording.questions[Int(sample.question)].type == rollup.type
                    && time >= rollup.hour && time < end
            }
            var counts = OutcomeCounts()
            for sample in samples {
                counts.count(
                    sample.observation.outcome,
                    responseCode: sample.observation.responseCode
                )
            }
            #expect(rollup.counts == counts)
            #expect(rollup.vantage == "here" && rollup.timeout == .seconds(5))
            let answers = samples.filter { $0.observation.outcome == .answered }
                .compactMap { $0.observation.roundTrip.map { Double($0) * 1e-6 } }
            let exact = LatencySummary(answers: answers, nonAnswers: counts.failed, timeout: 5000)
            let summary = rollup.latency.summary(timeout: 5000)
            #expect(summary.count == exact.count && summary.answered == exact.answered)
            #expect(summary.maximum == exact.maximum)
            if let median = summary.median, let value = exact.median {
                #expect(abs(median / value - 1) <= 0.0101)
            }
            counted += samples.count
        }
        #expect(counted == recording.samples.count)
        #expect(Set(rollups.map(\.hour)).count == 4)
    }

    @Test func `rounds of an outage or a suspension are stored but not counted`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        for (index, marks) in [RoundMarks.outage, .suspended, .offline, []].enumerated() {
            try simulation.append(
                simulation.round(
                    index + 1,
                    at: Simulation.start.advanced(by: .seconds(10 * index))
                ),
                marks: marks,
                to: store
            )
        }
        #expect(try store.recording().rounds.map(\.number) == [3, 4])
        #expect(try store.recording(.init(includesMarked: true)).samples.count == 36)
        let counted = try store.rollups().map { rollup in
            rollup.counts.sent + rollup.counts[.offline] + rollup.counts[.blocked]
        }
        #expect(counted.reduce(0, +) == 18)
        #expect(try store.rounds().map(\.round.marks) == [.outage, .suspended, .offline, []])
    }

    @Test func `a window selects rounds by origin, label and time`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        for (index, origin) in Run.Origin.allCases.enumerated() {
            try simulation.append(
                simulation.round(at: Simulation.start.advanced(by: .seconds(3600 * index))),
                run: origin.description,
                origin: origin,
                to: store
            )
        }
        let origins = Store.Window(origins: [.sample, .watch])
        #expect(try store.recording(origins).runs.map(\.id) == ["sample", "watch"])
        #expect(Set(try store.rollups(origins).map(\.origin)) == [.sample, .watch])
        #expect(try store.rounds(origins).count == 2)
        let labels = Store.Window(labels: ["far"])
        #expect(try store.recording(labels).targets.map(\.label) == ["far"])
        #expect(try store.recording(labels).samples.count == 12)
        #expect(Set(try store.rollups(labels).map(\.target.label)) == ["far"])
        let second = Simulation.start.advanced(by: .seconds(3600))
        let hour = Store.Window(since: second, until: second.advanced(by: .seconds(3600)))
        #expect(try store.recording(hour).runs.map(\.id) == ["watch"])
        #expect(Set(try store.rollups(hour).map(\.hour)) == [second])
        #expect(try store.rounds(hour).map(\.run.origin) == [.watch])
    }

    @Test func `rounds after a clock step belong to their own hours`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path)
        for (index, offset) in [3600, 3900, 0, 300].enumerated() {
            try simulation.append(
                simulation.round(index + 1, at: Simulation.start.advanced(by: .seconds(offset))),
                to: store
            )
        }
        let counts = Dictionary(grouping: try store.rollups(), by: \.hour).mapValues { rollups in
            rollups.map { $0.counts.sent + $0.counts[.offline] + $0.counts[.blocked] }.reduce(0, +)
        }
        #expect(
            counts == [Simulation.start: 18, Simulation.start.advanced(by: .seconds(3600)): 18]
        )
        #expect(try store.recording().rounds.map(\.number) == [3, 4, 1, 2])
    }

    @Test func `the information on a store counts its content`() throws {
        var simulation = try Simulation()
        let store = try Store(path: path, durability: .normal)
        #expect(try store.info().first == nil)
        _ = try simulation.fill(store, run: "r", rounds: 5)
        let info = try store.info()
        #expect(info.rounds == 5 && info.samples == 45 && info.runs == 1 && info.version == 17)
        #expect(info.durability == .normal && info.bytes > 8192)
        #expect(try #require(info.first) >= Simulation.start)
        #expect(try #require(info.last) > Simulation.start.advanced(by: .seconds(1200)))
        let run = try #require(try store.rounds().first?.run)
        #expect(run == simulation.run("r"))
    }
}
