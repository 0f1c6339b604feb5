import Catalogue
import DNSWire
import Foundation
import NIOHTTP1
import Reports
import Samples
import Servers
import Synchronization
import Testing

@testable import Dashboard
@testable import Store

private func target(_ label: String) -> Recording.Target {
    Recording.Target(label: label, endpoint: "127.0.0.1:53", transport: "udp", series: .cached)
}

/// Pages that are rendered on request.
@Suite struct PageCacheTests {
    /// An empty history that counts its reads.
    private final class CountingHistory: SampleSource {
        let reads = Atomic(0)
        /// The hours of the windows that were read, in order.
        let hours = Mutex<[Int64]>([])
        /// The actions during the next reads, the last action first.
        let disturbances = Mutex<[@Sendable () throws -> Void]>([])
        /// The resolvers that were measured at another time.
        let labels = Mutex<[String]>([])

        func rounds(_ window: Range<Timestamp>) -> [RoundMoment] { [] }

        func read(
            _ window: Range<Timestamp>,
            by grain: HistoryGrain,
            samples: (Recording) throws -> Void,
            sum: (HourlySum) throws -> Void
        ) throws -> HistoryLimits {
            reads.add(1, ordering: .relaxed)
            let length = window.upperBound.since(window.lowerBound)
            hours.withLock { $0.append(length.components.seconds / 3600) }
            try disturbances.withLock { $0.popLast() }?()
            return HistoryLimits()
        }

        func readSamples(
            _ window: Range<Timestamp>,
            _ body: @escaping (Recording) throws -> Void
        ) -> Range<Timestamp>? { nil }

        func causes(_ window: Range<Timestamp>) -> [EstablishedCause] { [] }
        func traces(_ window: Range<Timestamp>) -> [KeptTrace] { [] }
        func sites(_ window: Range<Timestamp>) -> [AnsweringSites] { [] }

        func advice(_ window: Range<Timestamp>) -> String { "" }

        func targets() -> [Recording.Target] { labels.withLock { $0.map(target) } }

        func everyLabel() -> [String] { labels.withLock(\.self) }

        func vantages() -> Set<String> { [] }

        func limited(to labels: Set<String>) -> any SampleSource { self }

        func limited(toPlace vantage: String) -> any SampleSource { self }
    }

    /// A wall clock that only the test moves.
    private final class WallClock: Sendable {
        let now = Mutex(Timestamp(nanoseconds: 1_795_230_000_000_000_000))
    }

    private let history = CountingHistory()
    private let clock = WallClock()

    private func withPages(_ body: (PageCache, Store) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let path = folder.file("s.sqlite")
        let store = try Store(path: path)
        let settings = DashboardSettings(
            address: try #require(IPAddress("127.0.0.1")),
            toolVersion: "1",
            now: { [clock] in clock.now.withLock { $0 } }
        )
        let handle = try StoreHandle(now: settings.now) {
            try FileWatcher(path)
        } open: { [history] in
            ({ history }, store)
        }
        try await body(PageCache(handle, settings), store)
    }

    private func round() throws -> Recording {
        let start = clock.now.withLock { $0 }
        return Recording(
            runs: [
                Run(id: "r", vantage: "here", timeout: .seconds(5), origin: .sample, started: start)
            ],
            rounds: [Round(number: 1)],
            targets: [target("home")],
            questions: [Question(name: try DomainName("example.com"), type: .a)],
            samples: [
                Sample(
                    round: 0,
                    target: 0,
                    question: 0,
                    scheduled: start,
                    observation: Observation(outcome: .timeout)
                )
            ]
        )
    }

    private func status(_ target: String, _ pages: PageCache) async -> UInt {
        await pages.reply(to: RequestTarget(target)).status.code
    }

    @Test func `a page is rendered on request, once for all clients`() async throws {
        try await withPages { pages, _ in
            #expect(history.reads.load(ordering: .relaxed) == 0)
            await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        #expect(await status("/api/window?by=resolver&x=\(number)", pages) == 200)
                    }
                }
            }
            #expect(history.reads.load(ordering: .relaxed) == 1)
        }
    }

    @Test func `a page is rendered again after a new round or a minute`() async throws {
        try await withPages { pages, store in
            #expect(await status("/api/window", pages) == 200)
            #expect(await status("/api/window", pages) == 200)
            #expect(history.reads.load(ordering: .relaxed) == 1)
            try store.append(round())
            #expect(await status("/api/window", pages) == 200)
            #expect(history.reads.load(ordering: .relaxed) == 2)
            clock.now.withLock { $0 = $0.advanced(by: .seconds(61)) }
            #expect(await status("/api/window", pages) == 200)
            #expect(history.reads.load(ordering: .relaxed) == 3)
        }
    }

    @Test func `a failed page is retried, and unknown addresses have no page`() async throws {
        try await withPages { pages, _ in
            for _ in 0..<2 {
                #expect(await status("/api/window?window=soon", pages) == 400)
                #expect(await status("/nowhere?window=soon", pages) == 404)
            }
            #expect(history.reads.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `the shutdown waits only for the page in progress`() async throws {
        try await withPages { pages, _ in
            history.disturbances.withLock { $0 = [{ pages.end() }] }
            let counts = await withTaskGroup(of: UInt.self, returning: [UInt: Int].self) { group in
                for hours in 1...10 {
                    group.addTask { await status("/api/window?window=\(hours)h", pages) }
                }
                return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(counts == [200: 1, 503: 9])
            #expect(history.reads.load(ordering: .relaxed) == 1)
        }
    }

    /// Requests pages of `windows` while a page of 100 hours is rendered. This page ends after `end` once all
    /// requests wait. Returns the statuses in the order of `windows`.
    private func statuses(
        of windows: [String],
        _ pages: PageCache,
        end: @escaping @Sendable () -> Void = {}
    ) async -> [UInt] {
        let first = Atomic(false)
        history.disturbances.withLock {
            $0 = [
                {
                    first.store(true, ordering: .relaxed)
                    while pages.waiting < windows.count { sched_yield() }
                    end()
                }
            ]
        }
        return await withTaskGroup(of: (Int, UInt).self) { group in
            group.addTask { (-1, await status("/api/window?window=100h", pages)) }
            while !first.load(ordering: .relaxed) { await Task.yield() }
            for (index, window) in windows.enumerated() {
                group.addTask { (index, await status("/api/window?window=\(window)", pages)) }
                // The requests arrive in this order.
                while pages.waiting <= index, history.reads.load(ordering: .relaxed) == 1 {
                    await Task.yield()
                }
            }
            let all = await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            return windows.indices.compactMap { all[$0] }
        }
    }

    @Test func `pages of offered windows are rendered before other pages`() async throws {
        try await withPages { pages, _ in
            let windows = (1...20).map { "\(10 * $0 + 3)h" } + ["30d", "24h"]
            #expect(await statuses(of: windows, pages) == windows.map { _ in 200 })
            let hours = history.hours.withLock { $0 }
            #expect(hours.prefix(5) == [100, 720, 24, 13, 23], "\(hours)")
            #expect(hours.count == 23)
        }
    }

    @Test func `a page that waited too long fails and is rendered later`() async throws {
        try await withPages { [clock] pages, _ in
            let statuses = await statuses(of: ["13h", "7d"], pages) {
                clock.now.withLock { $0 = $0.advanced(by: .seconds(11)) }
            }
            #expect(statuses == [503, 503])
            #expect(history.reads.load(ordering: .relaxed) == 1)
            let reply = await pages.reply(to: RequestTarget("/api/window?window=13h"))
            #expect(reply.status == .ok)
        }
    }

    @Test func `a refused client receives the time until a retry`() async throws {
        let reply = Reply.busy(RequestTarget("/"), after: 7)
        #expect(reply.status == .serviceUnavailable && reply.fields["Retry-After"] == ["7"])
    }

    @Test func `the metrics are rendered once for all query parameters`() async throws {
        try await withPages { pages, _ in
            #expect(RequestTarget("/metrics?window=1h&label=x").known == RequestTarget("/metrics"))
            #expect(await status("/metrics?window=soon", pages) == 200)
        }
    }

    @Test(arguments: [[], ["system"], ["system", "meadow"]])
    func `every page reports a window without rounds`(labels: [String]) async throws {
        history.labels.withLock { $0 = labels }
        let isPair = labels.count == 2
        try await withPages { pages, _ in
            let paths = ["/", "/?window=24h", "/resolver?window=24h"]
            for path in paths + (labels.count == 1 ? [] : ["/compare?window=24h"]) {
                let page = await pages.reply(to: RequestTarget(path))
                let sentences = page.text.matches(of: #/Nothing was measured from [^.]*/#)
                    .map(\.output)
                #expect(page.status == .ok && !sentences.isEmpty, "\(path)")
                // A page states each window once.
                #expect(Set(sentences).count == sentences.count, "\(path): \(sentences)")
            }
            let reply = await pages.reply(to: RequestTarget("/api/comparison?window=24h"))
            #expect(reply.status == (isPair ? .ok : .badRequest))
            let number = labels.isEmpty ? "no" : "only one"
            #expect(
                reply.text.contains(
                    isPair ? "\"resolvers\": []" : "\(number) resolver was measured"
                )
            )
        }
    }

    /// The store behaves like a store in a folder that the reader cannot write to.
    @Test(arguments: [(writes: 1, reads: 2, status: UInt(200)), (2, 2, 503)])
    func `a store that is written during a read is read again once`(
        writes: Int,
        reads: Int,
        status wanted: UInt
    ) async throws {
        try await withPages { pages, store in
            let round = try round()
            let write: @Sendable () throws -> Void = {
                try store.append(round)
                throw StoreError.changed("s.sqlite")
            }
            history.disturbances.withLock { $0 = Array(repeating: write, count: writes) }
            #expect(await status("/api/window", pages) == wanted)
            #expect(history.reads.load(ordering: .relaxed) == reads)
        }
    }

    @Test func `a store that is locked is not read again`() async throws {
        try await withPages { pages, _ in
            history.disturbances.withLock { $0 = [{ throw StoreError.changed("s.sqlite") }] }
            #expect(await status("/api/window", pages) == 503)
            #expect(history.reads.load(ordering: .relaxed) == 1)
        }
    }

    @Test func `a store that fails slowly is not retried for each request`() async throws {
        let tries = Atomic(0)
        let wall = WallClock()
        try await withPages { [history] _, store in
            let handle = try StoreHandle(now: { wall.now.withLock { $0 } }) {
                let count = tries.add(1, ordering: .relaxed).newValue
                guard count == 1 else {
                    wall.now.withLock { $0 = $0.advanced(by: .seconds(10)) }
                    throw StoreGone()
                }
                return GoneWatcher()
            } open: {
                ({ history }, store)
            }
            // The store is gone, and opening it again fails once. The other clients share this result.
            for _ in 0..<100 {
                #expect(throws: StoreGone.self) { try handle.snapshot().history }
            }
            #expect(tries.load(ordering: .relaxed) == 2)
            wall.now.withLock { $0 = $0.advanced(by: .seconds(50)) }
            _ = handle.snapshot()
            #expect(tries.load(ordering: .relaxed) == 3)
        }
    }
}

private struct StoreGone: Error {}

private struct GoneWatcher: StoreWatching {
    var isReplaced: Bool { true }

    func hasNews() -> Bool { false }
}
