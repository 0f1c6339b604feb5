import CMemory
import Dispatch
import Store
import Synchronization

/// Pages rendered when asked for, once for all who ask, and kept while the store has nothing newer.
final class PageCache: Sendable {
    private struct Key: Hashable {
        var target: RequestTarget
        var edition: Int
    }

    private struct State {
        var pages: [Key: Task<Reply, Never>] = [:]
        /// The first came first.
        var order: [Key] = []
        var renderings = 0
        var lastRendering = Duration.zero
        var isEnding = false
    }

    private static let capacity = 48
    private static let mostRenderings = 64

    private let store: StoreHandle
    private let settings: DashboardSettings
    private let state = Mutex(State())
    /// Pages are rendered one after the other on a thread of its own: reading and computing hold up
    /// neither the connections nor the rounds that are measured meanwhile.
    private let queue = DispatchQueue(label: "dnstempo.dashboard", qos: .utility)

    init(_ store: StoreHandle, _ settings: DashboardSettings) {
        self.store = store
        self.settings = settings
    }

    /// The time that the last rendering took.
    var lastRendering: Duration { state.withLock { $0.lastRendering } }

    /// Has no more pages rendered than the one under way.
    func end() { state.withLock { $0.isEnding = true } }

    private var isEnding: Bool { state.withLock { $0.isEnding } }

    func reply(to target: RequestTarget) async -> Reply {
        let snapshot = store.snapshot()
        let key = Key(target: target.known, edition: snapshot.edition)
        let page = state.withLock { state -> Task<Reply, Never>? in
            if let known = state.pages[key] { return known }
            guard state.renderings < Self.mostRenderings else { return nil }
            state.renderings += 1
            let page = Task { await render(key, snapshot) }
            state.pages[key] = page
            state.order.append(key)
            if state.order.count > Self.capacity {
                state.pages[state.order.removeFirst()] = nil
            }
            return page
        }
        return await page?.value ?? .busy(target)
    }

    private func render(_ key: Key, _ snapshot: Snapshot) async -> Reply {
        let (result, cost) = await withCheckedContinuation { continuation in
            queue.async { [self] in
                let start = ContinuousClock.now
                let result = Result {
                    try isEnding ? Reply.busy(key.target) : rendered(key.target, snapshot)
                }
                continuation.resume(returning: (result, start.duration(to: .now)))
                // What a page of a year took is not held until there is another.
                cmemory_give_back()
            }
        }
        state.withLock { state in
            state.renderings -= 1
            state.lastRendering = cost
            // What fails now may not the next time.
            if (try? result.get()) == nil { state.pages[key] = nil }
        }
        do { return try result.get() ?? .notFound(key.target) } catch {
            return .failure(error, key.target)
        }
    }

    /// `nil` where nothing is at the address.
    private func rendered(_ target: RequestTarget, _ snapshot: Snapshot) throws -> Reply? {
        do {
            return try PageRenderer(target, snapshot, settings).reply()
        } catch let error as StoreError where error.kind == .busy {
            // A store that was written while it was read without a lock is opened again and read once
            // more; one that is written all the time is an error.
            let latest = store.snapshot()
            guard latest.edition != snapshot.edition else { throw error }
            return try PageRenderer(target, latest, settings).reply()
        }
    }
}
