import CMemory
import Dispatch
import Failures
import Samples
import Store
import Synchronization

/// Pages rendered when asked for, once for all who ask, and kept while the store has nothing newer.
final class PageCache: Sendable {
    private struct Key: Hashable {
        var target: RequestTarget
        var edition: Int
    }

    /// A page that waits to be rendered.
    private struct Request {
        var key: Key
        var snapshot: Snapshot
        var since: Timestamp
        var reply: CheckedContinuation<Reply, Never>
    }

    private struct State {
        var pages: [Key: Task<Reply, Never>] = [:]
        /// The first came first, here and below.
        var order: [Key] = []
        /// Pages of the windows that pages link to.
        var usual: [Request] = []
        /// Pages of other windows: there may be any number.
        var others: [Request] = []
        var renderings = 0
        var lastRendering = Duration.zero
        var isEnding = false

        mutating func next() -> Request? {
            if !usual.isEmpty { return usual.removeFirst() }
            return others.isEmpty ? nil : others.removeFirst()
        }

        /// The seconds after which a client that is refused may ask again.
        var patience: Int { Int((lastRendering * renderings).components.seconds) + 1 }
    }

    private static let capacity = 48
    private static let mostRenderings = 64
    /// A page that waited for longer is refused: its reader has gone, or may ask again.
    private static let longestWait = Duration.seconds(10)

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

    /// The number of pages that wait to be rendered.
    var waiting: Int { state.withLock { $0.usual.count + $0.others.count } }

    /// Has no more pages rendered than the one under way.
    func end() { state.withLock { $0.isEnding = true } }

    func reply(to target: RequestTarget) async -> Reply {
        guard PageRenderer.hasPage(at: target.path) else { return .notFound(target) }
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
        return await page?.value ?? .busy(target, after: state.withLock { $0.patience })
    }

    private func render(_ key: Key, _ snapshot: Snapshot) async -> Reply {
        await withCheckedContinuation { continuation in
            let request = Request(
                key: key,
                snapshot: snapshot,
                since: settings.now(),
                reply: continuation
            )
            state.withLock { state in
                if WindowChoice(key.target).isOffered {
                    state.usual.append(request)
                } else {
                    state.others.append(request)
                }
            }
            queue.async { [self] in renderNext() }
        }
    }

    private func renderNext() {
        guard let request = state.withLock({ $0.next() }) else { return }
        let target = request.key.target
        let start = ContinuousClock.now
        let isRefused =
            state.withLock { $0.isEnding }
            || settings.now().since(request.since) > Self.longestWait
        let result = Result { try isRefused ? nil : rendered(target, request.snapshot) }
        let patience = state.withLock { state in
            state.renderings -= 1
            if !isRefused { state.lastRendering = start.duration(to: .now) }
            // What fails now may not the next time.
            if isRefused || (try? result.get()) == nil { state.pages[request.key] = nil }
            return state.patience
        }
        let reply: Reply
        do {
            let page = try result.get()
            reply = page ?? (isRefused ? .busy(target, after: patience) : .notFound(target))
        } catch {
            reply = .failure(error, target)
        }
        request.reply.resume(returning: reply)
        // What a page of a year took is not held until there is another.
        if !isRefused { cmemory_give_back() }
    }

    /// `nil` where nothing is at the address.
    private func rendered(_ target: RequestTarget, _ snapshot: Snapshot) throws -> Reply? {
        do {
            return try PageRenderer(target, snapshot, settings).reply()
        } catch is SourceChanged {
            return try rendered(target, store.renewed())
        } catch let error as StoreError where error.status == .busy {
            // A store that was written while it was read without a lock is opened again and read once
            // more; one that is written all the time is an error.
            let latest = store.snapshot()
            guard latest.edition != snapshot.edition else { throw error }
            return try PageRenderer(target, latest, settings).reply()
        }
    }
}
