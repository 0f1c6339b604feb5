import Fixtures
import SQLite
import Samples
import Testing

@testable import Store

struct NoticeStoreTests {
    private let folder = TemporaryFolder()
    private let path: String
    private let simulation: Simulation

    init() throws {
        path = folder.file("store.sqlite")
        simulation = try Simulation()
    }

    private func notice(
        _ target: Int,
        _ kind: String,
        since hour: Int = 0,
        at hours: Int,
        delivered: Bool = true
    ) -> SentNotice {
        SentNotice(
            target: simulation.targets[target],
            kind: kind,
            since: Simulation.start.advanced(by: .seconds(3600 * hour)),
            sent: Simulation.start.advanced(by: .seconds(3600 * hours)),
            isDelivered: delivered
        )
    }

    @Test func `the notice log contains the last notice of each kind`() throws {
        let store = try Store(path: path)
        #expect(try store.noticeLog(from: "here") == NoticeLog())
        let sent = [
            notice(0, "unreachable", at: 1), notice(0, "recovered", at: 2),
            notice(0, "unreachable", at: 3), notice(0, "unreachable", at: 4, delivered: false),
            notice(1, "unreachable", at: 0),
        ]
        try store.note(sent, from: "here")
        try store.noteJudged(until: Simulation.start, from: "here")
        let later = Simulation.start.advanced(by: .seconds(7200))
        try store.noteJudged(until: later, from: "here")
        let log = try Store(path: path, access: .readOnly).noticeLog(from: "here")
        #expect(log.sent == Array(sent[1...]))
        #expect(log.judged == later)
        #expect(try store.noticeLog(from: "elsewhere") == NoticeLog())
        #expect(try store.check().findings == [])
    }

    @Test func `the log keeps all delivered changes and the last undelivered one`() throws {
        let store = try Store(path: path)
        let sent = [
            notice(0, "slower", since: 3, at: 6, delivered: false),
            notice(0, "slower", since: 1, at: 7), notice(0, "slower", since: 2, at: 8),
            notice(0, "slower", since: 4, at: 9, delivered: false),
        ]
        try store.note(sent, from: "here")
        #expect(try store.noticeLog(from: "here").sent == Array(sent[1...]))
    }

    @Test(arguments: [
        ("UPDATE notice SET since = since + 1", "notice 1 is not as it was stored"),
        ("UPDATE notice SET kind = 'recovered'", "notice 1 is not as it was stored"),
        ("UPDATE notice SET delivered = 0", "notice 1 is not as it was stored"),
        ("UPDATE judgement SET hour = hour - 1", "judgement 1 is not as it was stored"),
        ("UPDATE run SET schedule = 'b'", "run 'r' is not as it was stored"),
    ])
    func `the check reports a changed notice or run`(sql: String, finding: String) throws {
        var simulation = simulation
        let store = try Store(path: path)
        var run = simulation.run("r")
        run.schedule = "a"
        try simulation.append(simulation.round(), of: run, to: store)
        try store.note([notice(0, "unreachable", at: 1)], from: "here")
        try store.noteJudged(until: Simulation.start, from: "here")
        #expect(try store.rounds().map(\.run) == [run])
        try store.write { try $0.database.execute(sql) }
        #expect(try store.check().findings == [finding])
    }

    @Test func `the latest rounds contain the responses in the order of storing`() throws {
        let store = try Store(path: path)
        // The clock was set back before the third round.
        let hours = [1, 2, 0]
        for (index, hour) in hours.enumerated() {
            try append(
                [.answered, .timeout, .offline],
                to: store,
                run: simulation.run("r"),
                number: index + 1,
                hour: hour,
                marks: index == 1 ? .outage : []
            )
        }
        try append(
            [.failed, .failed, .failed],
            to: store,
            run: simulation.run("c", origin: .compare)
        )
        var elsewhere = simulation
        elsewhere.vantage = "elsewhere"
        try append([.failed, .failed, .failed], to: store, run: elsewhere.run("e"))
        let rounds = try store.latestResponses(from: "here", count: 2)
        #expect(
            rounds.map(\.started)
                == hours.map { Simulation.start.advanced(by: .seconds(3600 * $0)) }
        )
        #expect(rounds.map(\.marks) == [[], .outage, []])
        for round in rounds {
            #expect(round.resolvers.map(\.target) == simulation.targets)
            #expect(round.resolvers.map(\.sent) == [1, 1, 0])
            #expect(round.resolvers.map(\.responses) == [1, 0, 0])
            #expect(round.resolvers.map(\.isUnverified) == [true, false, false])
        }
        // Only rounds without a mark count towards `count`. The latest round has no mark.
        #expect(try store.latestResponses(from: "here", count: 1) == rounds.suffix(1))
        #expect(try store.latestResponses(from: "nowhere", count: 1) == [])
    }

    private func append(
        _ outcomes: [Outcome],
        to store: Store,
        run: Run,
        number: Int = 1,
        hour: Int = 0,
        marks: RoundMarks = []
    ) throws {
        let samples = outcomes.enumerated().map { index, outcome in
            var observation = Observation(outcome: outcome)
            observation.extras = .init(flags: .unverified)
            return Sample(
                round: 0,
                target: Int32(index),
                question: 0,
                scheduled: Simulation.start.advanced(by: .seconds(3600 * hour)),
                observation: observation
            )
        }
        try simulation.append(
            Recording(rounds: [Round(number: Int32(number))], samples: samples),
            of: run,
            marks: marks,
            to: store
        )
    }
}
