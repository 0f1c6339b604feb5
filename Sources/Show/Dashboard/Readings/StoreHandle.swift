import Catalogue
import Files
import Reports
package import Samples
package import Store
import Synchronization

/// A store as pages read it: its history, as what is in it then has it read, and its sums.
package typealias ServedStore = (
    history: @Sendable () throws -> any SampleSource, sums: any SumSource
)

/// Tells whether a store is another than it was.
package protocol StoreWatching: Sendable {
    /// Whether what was opened is no longer what there is: it has to be opened again.
    var isReplaced: Bool { get }

    /// Whether somebody has written into what was opened since this was last asked.
    mutating func hasNews() -> Bool
}

/// A store as it is now: looked at for new rounds, and opened again where another is in its place.
final class StoreHandle: Sendable {
    private struct State {
        var served: Result<ServedStore, any Error>
        /// `nil` where the store cannot be read.
        var watcher: (any StoreWatching)?
        /// When it was last opened, or tried to be, and for how long nobody tries again.
        var tried: (at: Timestamp, rest: Duration)?
        var snapshot: Snapshot
    }

    /// The time for which a moment is now though nothing was stored: windows move on.
    private static let patience = Duration.seconds(60)
    /// A store that takes long to fail holds up whoever asks: it is left alone for five times as long, up
    /// to this.
    private static let longestRest = Duration.seconds(60)

    private let now: @Sendable () -> Timestamp
    private let watch: @Sendable () throws -> any StoreWatching
    private let open: @Sendable () throws -> ServedStore
    private let state: Mutex<State>

    /// Throws where the store that `open` opens and `watch` watches cannot be read.
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

    /// A snapshot of the same store for pages that have to be read anew.
    func renewed() -> Snapshot { state.withLock { renew(&$0, at: now()) } }

    private func renew(_ state: inout State, at moment: Timestamp) -> Snapshot {
        let edition = state.snapshot.edition + 1
        state.snapshot = Snapshot(of: state.served, edition: edition, at: moment)
        return state.snapshot
    }

    /// Whether the store is another than when this was last asked.
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

/// Watches a store's file and what is written into it, over a connection of its own so that a long
/// read holds up nothing.
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

    /// Whether another file is at the path now, or none, or the file is read as it was.
    package var isReplaced: Bool { FileIdentity(path) != file || store.isOutdated }

    /// Whether somebody has written since this was last asked.
    package mutating func hasNews() -> Bool {
        let before = changes
        changes = try? store.changeCounter()
        return changes != before
    }
}

/// One state of a store at one moment, as pages see it: they agree on what is recorded and on when
/// now is, and what they have in common is read once.
final class Snapshot: Sendable {
    /// Grows with every state.
    let edition: Int
    let moment: Timestamp
    private let served: Result<ServedStore, any Error>
    private let readHistory = Mutex<(any SampleSource)?>(nil)
    /// By the place that is looked at alone.
    private let known = Mutex<[String?: OverviewReport]>([:])
    private static let mostKnown = 8
    private let knownRounds = Mutex<[Range<Timestamp>: [RoundMoment]]>([:])

    init(of served: Result<ServedStore, any Error>, edition: Int, at moment: Timestamp) {
        self.edition = edition
        self.moment = moment
        self.served = served
    }

    /// Throws where the store cannot be read.
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

    /// The places that ever measured.
    var vantages: Set<String> { get throws { try history.vantages() } }

    /// The rounds of a window, a hundred thousand in a year, which are read once for all pages.
    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        if let known = knownRounds.withLock({ $0[window] }) { return known }
        let read = try history.rounds(window)
        knownRounds.withLock { known in
            // Whoever asks for ever other windows has each read again.
            if known.count >= Self.mostKnown { known = [:] }
            known[window] = read
        }
        return read
    }

    /// The report that pages of every window show, of one place or of all.
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
