import Catalogue
import Files
import Reports
package import Samples
package import Store
import Synchronization

/// A store for pages: a function that opens its history for reading, and its sums.
package typealias ServedStore = (
    history: @Sendable () throws -> any SampleSource, sums: any SumSource
)

/// Detects changes of a store.
package protocol StoreWatching: Sendable {
    /// Whether the opened store is no longer current and must be reopened.
    var isReplaced: Bool { get }

    /// Whether another connection has written to the store since the last call.
    mutating func hasNews() -> Bool
}

/// The current state of a store. It checks for new rounds, and reopens the store if it was replaced.
final class StoreHandle: Sendable {
    private struct State {
        var served: Result<ServedStore, any Error>
        /// The watcher. `nil` if the store cannot be read.
        var watcher: (any StoreWatching)?
        /// The time of the last attempt to open the store, and the back-off until the next attempt.
        var tried: (at: Timestamp, rest: Duration)?
        var snapshot: Snapshot
    }

    /// The maximum age of a snapshot without new data. Windows move on with time.
    private static let patience = Duration.seconds(60)
    /// The maximum back-off. After a slow failure, the handle waits five times the failure's duration, up to
    /// this limit.
    private static let longestRest = Duration.seconds(60)

    private let now: @Sendable () -> Timestamp
    private let watch: @Sendable () throws -> any StoreWatching
    private let open: @Sendable () throws -> ServedStore
    private let state: Mutex<State>

    /// Throws if the store that `open` opens and `watch` watches cannot be read.
    init(
        now: @escaping @Sendable () -> Timestamp,
        watch: @escaping @Sendable () throws -> any StoreWatching,
        open: @escaping @Sendable () throws -> ServedStore
    ) throws {
        self.now = now
        self.watch = watch
        self.open = open
        let watcher = try watch()
        let served = try open()
        let first = Snapshot(of: .success(served), edition: 1, at: now())
        _ = try first.history
        state = Mutex(State(served: .success(served), watcher: watcher, snapshot: first))
    }

    func snapshot() -> Snapshot {
        state.withLock { state in
            let now = now()
            let age = now.since(state.snapshot.moment)
            let isOld = hasNews(&state) || age < .zero || age >= Self.patience
            return isOld ? renew(&state, at: now) : state.snapshot
        }
    }

    /// A new snapshot of the same store, for pages that must be read again.
    func renewed() -> Snapshot { state.withLock { renew(&$0, at: now()) } }

    private func renew(_ state: inout State, at moment: Timestamp) -> Snapshot {
        let edition = state.snapshot.edition + 1
        state.snapshot = Snapshot(of: state.served, edition: edition, at: moment)
        return state.snapshot
    }

    /// Whether the store has changed since the last call.
    private func hasNews(_ state: inout State) -> Bool {
        if state.watcher?.isReplaced == false { return state.watcher?.hasNews() ?? false }
        let wasRead = state.watcher != nil
        let start = now()
        if !wasRead, let tried = state.tried,
            (.zero..<tried.rest).contains(start.since(tried.at))
        {
            return false
        }
        state.watcher = nil
        state.served = Result {
            let watcher = try watch()
            let served = try open()
            state.watcher = watcher
            return served
        }
        let end = now()
        state.tried = (end, min(max(.zero, end.since(start) * 5), Self.longestRest))
        return wasRead || state.watcher != nil
    }
}

/// Watches a store's file and the writes to it. It uses its own connection, so that a long read blocks no
/// other work.
package struct FileWatcher: StoreWatching {
    private let path: String
    private let store: Store
    private let file: FileIdentity?
    private var changes: Int?

    package init(_ path: String) throws(StoreError) {
        self.path = path
        file = FileIdentity(path)
        store = try Store(path: path, access: .readOnly)
        changes = try? store.changeCounter()
    }

    /// Whether the path now leads to another file or to none, or whether the open file is outdated.
    package var isReplaced: Bool { FileIdentity(path) != file || store.isOutdated }

    /// Whether another connection has written since the last call.
    package mutating func hasNews() -> Bool {
        let before = changes
        changes = try? store.changeCounter()
        return changes != before
    }
}

/// One state of a store at one moment. All pages of a snapshot agree on the recorded data and the current
/// time. They read shared data only once.
final class Snapshot: Sendable {
    /// The number of the state. It increases with each state.
    let edition: Int
    let moment: Timestamp
    private let served: Result<ServedStore, any Error>
    private let readHistory = Mutex<(any SampleSource)?>(nil)
    /// The overview per place. The key `nil` means all places.
    private let known = Mutex<[String?: OverviewReport]>([:])
    private static let mostKnown = 8
    private let knownRounds = Mutex<[Range<Timestamp>: [RoundMoment]]>([:])

    init(of served: Result<ServedStore, any Error>, edition: Int, at moment: Timestamp) {
        self.edition = edition
        self.moment = moment
        self.served = served
    }

    /// The history. Throws if the store cannot be read.
    var history: any SampleSource {
        get throws {
            try readHistory.withLock { history in
                let known = try history ?? SourceChanged.retrying { try served.get().history() }
                history = known
                return known
            }
        }
    }

    var sums: any SumSource { get throws { try served.get().sums } }

    /// All places that ever measured.
    var vantages: Set<String> { get throws { try history.vantages() } }

    /// The rounds of a window, read once for all pages. A year can have a hundred thousand rounds.
    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        if let known = knownRounds.withLock({ $0[window] }) { return known }
        let read = try history.rounds(window)
        knownRounds.withLock { known in
            // The cache is cleared when full, so a client that keeps changing the window causes a new read
            // each time.
            if known.count >= Self.mostKnown { known = [:] }
            known[window] = read
        }
        return read
    }

    /// The report that pages of every window show, for one place or all places.
    func overview(
        at vantage: String?,
        _ make: () throws -> OverviewReport
    ) rethrows -> OverviewReport {
        if let known = known.withLock({ $0[vantage] }) { return known }
        let report = try make()
        known.withLock { $0[vantage] = report }
        return report
    }
}
