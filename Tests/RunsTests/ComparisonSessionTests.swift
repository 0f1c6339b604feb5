import Catalogue
import Fixtures
import Measurement
import Samples
import Statistics
import Store
import Synchronization
import Testing

@testable import Runs

/// Comparisons in the lab, without a command or a report.
struct ComparisonSessionTests {
    /// A watcher that reads the progress once, at the end of the run.
    final class Watched: RunWatcher {
        let last = Mutex<(round: Int, candidates: Int)?>(nil)

        func follow(
            _ progress: RunProgress,
            inUse: String?,
            evidence: @Sendable () -> [Int: EvidenceProgress]
        ) async {
            let (forever, end) = AsyncStream<Void>.makeStream()
            for await _ in forever {}
            end.finish()
            last.withLock { $0 = (progress.snapshot(after: .zero).settledRound, evidence().count) }
        }
    }

    private func order(_ change: (inout RunRequest) -> Void) async throws -> RunOrder {
        var request = RunRequest()
        request.lab = "default"
        request.resolvers = ["harbour", "meadow"]
        request.comparison = ComparisonRequest()
        request.options[.domains] = .names(["a.example", "b.example"])
        request.options[.floor] = false
        change(&request)
        return try await OrderBuilder(request, OrderBuilderTests.Told()).order()
    }

    private func session(
        _ order: RunOrder,
        after earlier: EarlierRun? = nil,
        watcher: Watched? = nil,
        store: Store? = nil
    ) -> ComparisonSession {
        ComparisonSession(
            order,
            PreflightFindings(),
            after: earlier,
            watcher: watcher,
            connects: nil,
            store: store,
            evidence: nil
        )
    }

    @Test func `the rounds of a run are stored and shown to watchers`()
        async throws
    {
        let (folder, watcher) = (TemporaryFolder(), Watched())
        let store = try Store(path: folder.file("s.sqlite"))
        let order = try await order { $0.options[.rounds] = 3 }
        let compared = try await session(order, watcher: watcher, store: store).measure()
        try await compared.storing?.finish()
        let recording = compared.run.recording
        #expect(recording.rounds.map(\.number) == [1, 2, 3])
        #expect(recording.samples.count == 3 * 2 * 2)
        #expect(compared.networkChanges == nil && compared.registered == nil)
        #expect(compared.span.lowerBound == recording.runs[0].started)
        #expect(watcher.last.withLock { $0?.round } == 3)
        let stored = try store.rounds(Store.Window(origins: [.compare]))
        #expect(stored.map(\.round.number) == [1, 2, 3])
    }

    @Test func `a run is resumed after its last round`() async throws {
        let folder = TemporaryFolder()
        let store = try Store(path: folder.file("s.sqlite"))
        var order = try await order { $0.options[.rounds] = 2 }
        let first = try await session(order, store: store).measure()
        try await first.storing?.finish()
        #expect(try EarlierRun.countToday(in: store, of: order) == 1)
        let earlier = try #require(try EarlierRun.last(in: store, of: order))
        order.plan = try earlier.continued(order.plan)
        let second = try await session(order, after: earlier, store: store).measure()
        try await second.storing?.finish()
        #expect(second.run.recording.rounds.map(\.number) == [1, 2, 3, 4])
        #expect(second.run.recording.runs.count == 1)
    }

    @Test func `a run with other names cannot be resumed`() async throws {
        let folder = TemporaryFolder()
        let store = try Store(path: folder.file("s.sqlite"))
        let first = try await order { $0.options[.rounds] = 1 }
        try await session(first, store: store).measure().storing?.finish()
        let other = try await order {
            $0.options[.rounds] = 1
            $0.options[.domains] = .names(["c.example"])
        }
        #expect(try EarlierRun.last(in: store, of: other) == nil)
    }
}
