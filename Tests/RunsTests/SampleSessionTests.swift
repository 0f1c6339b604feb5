import Catalogue
import DNSWire
import Failures
import Fixtures
import Samples
import Store
import Synchronization
import Testing

@testable import Runs

/// Rounds of scripted resolvers, stored one at a time.
struct SampleSessionTests {
    /// Work after storing that calls `done`.
    struct Turn: RoundTarget {
        static let limit = Duration.seconds(10)
        let done: @Sendable (RoundFollower.Attempt) -> Void

        func work(_ attempt: RoundFollower.Attempt) -> Bool {
            done(attempt)
            return false
        }
    }

    private static func order(
        _ answer: @escaping ScriptedTransports.Answer = { _, _ in .noError }
    ) async throws -> RunOrder {
        var request = RunRequest()
        request.lab = "default"
        request.resolvers = ["harbour", "meadow"]
        request.options[.domains] = .names(["a.example"])
        request.options[.floor] = false
        var order = try await OrderBuilder(request, OrderBuilderTests.Told()).order()
        order.transports = ScriptedTransports(answer: answer)
        return order
    }

    private func session(
        _ order: RunOrder,
        _ folder: TemporaryFolder,
        _ console: OrderBuilderTests.Told = .init(),
        others: [any RoundTarget] = [],
        metrics: StoredRoundWork.Metrics? = nil,
        schedule: String? = nil
    ) throws -> SampleSession {
        try SampleSession(
            order,
            store: folder.file("s.sqlite"),
            .full,
            console,
            checks: false,
            work: StoredRoundWork(judge: Judge(), others: others, metrics: metrics),
            schedule: schedule
        )
    }

    private func rounds(_ folder: TemporaryFolder) throws -> [StoredRound] {
        try Store(path: folder.file("s.sqlite"), access: .readOnly)
            .rounds(Store.Window(origins: [.sample]))
    }

    @Test func `a round is stored with its schedule, and the following work runs`() async throws {
        let folder = TemporaryFolder()
        let turns = Mutex<[String]>([])
        let other = Turn { attempt in
            turns.withLock { $0.append("round \(attempt.rounds.map(\.number))") }
        }
        let session = try await session(
            Self.order(),
            folder,
            others: [other],
            metrics: { _ in turns.withLock { $0.append("metrics") } },
            schedule: "home"
        )
        try await session.run()
        #expect(turns.withLock { $0 } == ["metrics", "round [1]"])
        let stored = try rounds(folder)
        #expect(stored.map(\.round.number) == [1])
        #expect(stored.map(\.run.schedule) == ["home"])
        // The lock is free for the next round.
        try await session.run()
        #expect(try rounds(folder).count == 2)
    }

    @Test func `a round with timeouts is stored without a message`() async throws {
        let (folder, console) = (TemporaryFolder(), OrderBuilderTests.Told())
        let order = try await Self.order { resolver, _ in
            resolver.label == "meadow" ? .timeout : .noError
        }
        try await session(order, folder, console).run()
        let store = try Store(path: folder.file("s.sqlite"), access: .readOnly)
        let recording = try store.recording(Store.Window(origins: [.sample]))
        let outcomes = Dictionary(
            uniqueKeysWithValues: recording.samples.map {
                (recording.targets[Int($0.target)].label, $0.observation.outcome)
            }
        )
        #expect(outcomes == ["harbour": .answered, "meadow": .timeout])
        #expect(console.lines.withLock { $0.isEmpty })
    }

    @Test func `a metrics error is thrown after the round is stored`() async throws {
        let folder = TemporaryFolder()
        let done = Mutex(0)
        let session = try await session(
            Self.order(),
            folder,
            others: [Turn { _ in done.withLock { $0 += 1 } }],
            metrics: { _ in throw Failure(.cannotCreate, "no room") }
        )
        await #expect(throws: Failure(.cannotCreate, "no room")) { try await session.run() }
        #expect(done.withLock { $0 } == 1)
        #expect(try rounds(folder).count == 1)
    }

    @Test func `no round is measured while another program holds the lock`() async throws {
        let folder = TemporaryFolder()
        let session = try await session(Self.order(), folder)
        let lock = try StoreLock(store: folder.file("s.sqlite"))
        try lock.takeNow()
        let failure = await #expect(throws: Failure.self) { try await session.run() }
        #expect(failure?.status == .busy)
        #expect(try rounds(folder).isEmpty)
        lock.release()
        try await session.run()
        #expect(try rounds(folder).count == 1)
    }

    @Test func `queries omit NSID if a resolver answers only without it`() async throws {
        let order = try await Self.order { resolver, query in
            resolver.label == "meadow" && query.options.nsid ? .timeout : .noError
        }
        let session = Session(order, run: Run(order, origin: .sample))
        let first = try #require(await session.round(1))
        let told = await session.siteQueries.sentences(after: first)
        #expect(
            told == [
                "meadow answers only queries without NSID, which this command requests: later "
                    + "queries to it have none; add --no-nsid for all"
            ]
        )
        let second = try #require(await session.round(2))
        #expect(second.counts.sent == 2 && second.counts.answered == 2)
        #expect(await session.siteQueries.sentences(after: second).isEmpty)
    }
}
