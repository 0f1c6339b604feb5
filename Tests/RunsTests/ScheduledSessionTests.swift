import Catalogue
import Failures
import Fixtures
import Measurement
import RemoteWrite
import Samples
import Store
import Synchronization
import Testing

@testable import Runs

/// Rounds of a schedule in the lab, with a store and without a terminal.
struct ScheduledSessionTests {
    final class Announced: RoundConsole {
        struct State {
            var rounds: [(number: Int32, isStored: Bool)] = []
            var warnings: [String] = []
            var begun = 0
        }

        let state = Mutex(State())
        private let readsOn: Bool

        /// If `readsOn` is false, the console stops reading at the first line.
        init(readsOn: Bool = true) { self.readsOn = readsOn }

        func mention(_ text: String) {}
        func warn(_ text: String) { state.withLock { $0.warnings.append(text) } }
        func note(_ period: Duration, wanting interval: Duration) {}
        func show(next round: Int, in wait: Duration) {}
        func show(round: Int, isUnderWay: Bool) {}
        func show(unstored: Int) {}

        func begin(_ order: RunOrder, tampering: Set<String>) -> RunProgress? {
            state.withLock { $0.begun += 1 }
            return nil
        }

        func announce(_ round: MeasuredRound, isStored: Bool) -> Bool {
            state.withLock { $0.rounds.append((round.round.number, isStored)) }
            return readsOn
        }

        var outputFailure: Failure? { nil }
    }

    /// Work after storing that records the numbers of its rounds.
    final class Noted: RoundTarget {
        static let limit = Duration.seconds(10)
        let rounds = Mutex<[Int32]>([])

        func work(_ attempt: RoundFollower.Attempt) -> Bool {
            rounds.withLock { $0 += attempt.rounds.map(\.number) }
            return false
        }
    }

    /// Remote writes that start late. Attempts before round `begin` do nothing, as on a busy
    /// machine.
    struct Late: RoundTarget {
        static let limit = Duration.seconds(10)
        let begin: Int32
        let writing: RemoteWriting

        func work(_ attempt: RoundFollower.Attempt) throws -> Bool {
            try attempt.round.round.number < begin ? false : writing.work(attempt)
        }
    }

    /// Returns a schedule of `rounds` rounds without a gap between them.
    private func session(
        rounds: Int,
        store path: String?,
        _ console: Announced,
        work: StoredRoundWork = StoredRoundWork(judge: Judge(), others: [], metrics: nil)
    ) async throws -> ScheduledSession {
        var request = RunRequest()
        request.lab = "default"
        request.resolvers = ["harbour", "meadow"]
        request.options[.domains] = .names(["a.example"])
        request.options[.rounds] = rounds
        request.options[.interval] = .zero
        request.options[.floor] = false
        let configuration = try await WatchConfiguration(request, OrderBuilderTests.Told()) { _ in
            nil
        }
        return try ScheduledSession(
            configuration,
            store: path,
            .full,
            console,
            checks: false,
            work: work
        )
    }

    @Test func `each round is stored, announced, and followed by its work`() async throws {
        let folder = TemporaryFolder()
        let (console, noted) = (Announced(), Noted())
        let written = Mutex(0)
        let work = StoredRoundWork(judge: Judge(), others: [noted]) { _ in
            written.withLock { $0 += 1 }
        }
        let session = try await session(
            rounds: 3,
            store: folder.file("s.sqlite"),
            console,
            work: work
        )
        let log = await session.run()
        try await log.check()
        #expect(console.state.withLock { $0.rounds.map(\.number) } == [1, 2, 3])
        #expect(console.state.withLock { $0.rounds.allSatisfy(\.isStored) && $0.warnings.isEmpty })
        #expect(noted.rounds.withLock(\.self) == [1, 2, 3])
        #expect(written.withLock(\.self) == 3)
        let store = try Store(path: folder.file("s.sqlite"), access: .readOnly)
        let stored = try store.rounds(Store.Window(origins: [.watch]))
        #expect(stored.map(\.round.number) == [1, 2, 3])
        // A busy machine may miss slots, so the summary may mention missed slots after this text.
        let summary = await log.summary
        #expect(summary.hasPrefix("3 rounds stored in '\(folder.file("s.sqlite"))'"), "\(summary)")
    }

    @Test func `a late first remote write includes the first round of the program`() async throws {
        let (folder, console) = (TemporaryFolder(), Announced())
        let address = try WebAddress(of: .remoteWrite, "http://127.0.0.1/write", tokenOption: "--t")
        // The session is allowed no network. The attempt ends before it sends a packet, and its rounds wait.
        let receiver = Receiver(
            address,
            token: nil,
            kind: "receiver",
            option: "--token",
            within: try AllowedNetworks(parsing: "::1/128")
        )
        let writing = RemoteWriting(.remoteWrite, to: receiver)
        let session = try await session(
            rounds: 3,
            store: folder.file("s.sqlite"),
            console,
            work: StoredRoundWork(
                judge: Judge(),
                others: [Late(begin: 3, writing: writing)],
                metrics: nil
            )
        )
        try await session.run().check()
        let store = try Store(path: folder.file("s.sqlite"), access: .readOnly)
        let first = try #require(try store.rounds(Store.Window(origins: [.watch])).first)
        let written = try store.lastWritten(to: address.url, from: first.run.vantage)
        #expect(written == first.round.started.advanced(by: .nanoseconds(-1)))
        let warnings = console.state.withLock(\.warnings)
        #expect(warnings.count == 1 && warnings[0].hasSuffix("; the rounds wait in the store"))
    }

    @Test func `without a store, rounds are only announced`() async throws {
        let console = Announced()
        let session = try await session(
            rounds: 2,
            store: nil,
            console
        )
        let log = await session.run()
        #expect(console.state.withLock { $0.rounds.map(\.isStored) } == [false, false])
        let summary = await log.summary
        #expect(summary.hasPrefix("2 rounds measured"), "\(summary)")
    }

    @Test func `a schedule ends when its console stops reading`() async throws {
        let console = Announced(readsOn: false)
        let session = try await session(
            rounds: 1_000,
            store: nil,
            console
        )
        _ = await session.run()
        #expect(console.state.withLock { $0.rounds.count } < 1_000)
    }

    @Test func `unwritable metrics give one warning, and no round is lost`()
        async throws
    {
        struct Full: Error, CustomStringConvertible { var description: String { "no room" } }
        let (folder, console) = (TemporaryFolder(), Announced())
        let work = StoredRoundWork(judge: Judge(), others: []) { _ in throw Full() }
        let session = try await session(
            rounds: 2,
            store: folder.file("s.sqlite"),
            console,
            work: work
        )
        try await session.run().check()
        #expect(
            console.state.withLock(\.warnings) == ["no room (tried again after each round)"]
        )
    }

    @Test func `reloaded settings begin another run`() async throws {
        let (folder, console) = (TemporaryFolder(), Announced())
        let session = try await session(
            rounds: 2,
            store: folder.file("s.sqlite"),
            console
        )
        session.reload()
        try await session.run().check()
        #expect(console.state.withLock(\.begun) == 2)
    }
}
