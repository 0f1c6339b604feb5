import CMemory
import Dispatch
import Failures
import Samples
import Store
import Synchronization

/// Pages rendered on request, once for all clients. They are kept until the store has newer data.
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
        /// The keys in order of arrival, the earliest first. The lists below have the same order.
        var order: [Key] = []
        /// Pages of the windows that pages link to.
        var usual: [Request] = []
        /// Pages of other windows, of which there may be any number.
        var others: [Request] = []
        var renderings = 0
        var lastRendering = Duration.zero
        var isEnding = false

        mutating func next() -> Request? {
            if !usual.isEmpty { return usual.removeFirst() }
            return others.isEmpty ? nil : others.removeFirst()
        }

        /// The seconds after which a refused client may retry.
        var patience: Int { Int((lastRendering * renderings).components.seconds) + 1 }
    }

    private static let capacity = 48
    private static let mostRenderings = 64
    /// The maximum wait. A page that waited longer is refused: its reader has gone, or can retry.
    private static let longestWait = Duration.seconds(10)

    private let store: StoreHandle
    private let settings: DashboardSettings
    private let state = Mutex(State())
    /// The thread on which pages are rendered one after the other. Reading and computing therefore delay
    /// neither the connections nor the measured rounds.
    private let queue = DispatchQueue(label: "dnstempo.dashboard", qos: .utility)

    init(_ store: StoreHandle, _ settings: DashboardSettings) {
        self.store = store
        self.settings = settings
    }

    /// The time that the last rendering took.
    var lastRendering: Duration { state.withLock { $0.lastRendering } }

    /// The number of pages that wait to be rendered.
    var waiting: Int { state.withLock { $0.usual.count + $0.others.count } }

    /// Stops rendering after the page in progress.
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
            // A failure may be temporary, so it is not kept.
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
        // Memory used for a page of a year is returned at once.
        if !isRefused { cmemory_give_back() }
    }

    /// Renders the page. `nil` if the address has no page.
    private func rendered(_ target: RequestTarget, _ snapshot: Snapshot) throws -> Reply? {
        do {
            return try PageRenderer(target, snapshot, settings).reply()
        } catch is SourceChanged {
            return try rendered(target, store.renewed())
        } catch let error as StoreError where error.status == .busy {
            // A store that was written during a read without a lock is opened and read once more. A store
            // that is written continuously causes an error.
            let latest = store.snapshot()
            guard latest.edition != snapshot.edition else { throw error }
            return try PageRenderer(target, latest, settings).reply()
        }
    }
}
