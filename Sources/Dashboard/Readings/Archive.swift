import Reports
import Samples
import Store
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The store as it is now: opened again where another was put in its place, and looked at for new
/// rounds.
final class Archive: Sendable {
    private struct Opened {
        var content: Result<Content, any Error>
        var lookout: Lookout
        /// Counts the states that were seen.
        var edition = 0
        /// What documents are made of until the next state, or the next moment.
        var snapshot: Snapshot?
    }

    private struct Content {
        var history: any SampleSource
        var store: Store
    }

    private let path: String
    private let open: @Sendable () throws -> any SampleSource
    private let opened: Mutex<Opened>

    init(
        _ path: String,
        open: @escaping @Sendable () throws -> any SampleSource
    ) throws {
        self.path = path
        self.open = open
        let content = try Self.content(path, open)
        let lookout = try Lookout(path)
        opened = Mutex(Opened(content: .success(content), lookout: lookout))
    }

    /// What reports are read from, at a moment that is up to ``patience`` before `now`; throws
    /// where the store cannot be read.
    func snapshot(_ now: Timestamp) throws -> Snapshot {
        try opened.withLock { opened in
            if let known = opened.snapshot, known.moment <= now,
                now.since(known.moment) < Self.patience
            {
                return known
            }
            let snapshot = Snapshot(of: try opened.content.get().history, at: now)
            opened.snapshot = snapshot
            return snapshot
        }
    }

    /// How long a moment is now.
    private static let patience = Duration.seconds(30)

    /// Of all resolvers; none where the store cannot be read.
    func labels() -> [String] {
        let history = opened.withLock { try? $0.content.get().history }
        return (try? history?.resolverLabels()) ?? []
    }

    /// The store itself.
    func store() throws -> Store { try opened.withLock { $0.content }.get().store }

    /// Grows with every state of the store that was seen.
    var edition: Int { opened.withLock { $0.edition } }

    /// Looks whether the store is another than when this was last called.
    func look() {
        opened.withLock { opened in
            guard opened.lookout.look() else { return }
            opened.edition += 1
            opened.snapshot = nil
            if opened.lookout.wasReplaced { reopen(&opened) }
        }
    }

    private static func content(
        _ path: String,
        _ open: () throws -> any SampleSource
    ) throws -> Content {
        Content(history: try open(), store: try Store(path: path, access: .readOnly))
    }

    private func reopen(_ opened: inout Opened) {
        do {
            opened.lookout = try Lookout(path)
            opened.content = .success(try Self.content(path, open))
        } catch {
            opened.content = .failure(error)
        }
    }
}

/// Watches a store's file and what is written into it, over a connection of its own so that a long
/// read holds up nothing.
private struct Lookout {
    private let path: String
    private let store: Store
    private var file: [UInt64]
    private var changes: Int?
    /// Whether another file is at the path now, or none.
    private(set) var wasReplaced = false

    init(_ path: String) throws(StoreError) {
        self.path = path
        store = try Store(path: path, access: .readOnly)
        file = Self.identity(path)
        changes = try? store.changeCounter()
    }

    /// Whether there is something new.
    mutating func look() -> Bool {
        let now = Self.identity(path)
        if now != file {
            file = now
            wasReplaced = true
            return true
        }
        let changes = try? store.changeCounter()
        defer { self.changes = changes }
        return changes != self.changes
    }

    private static func identity(_ path: String) -> [UInt64] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return [] }
        return [
            UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino),
        ]
    }
}

/// One state of the history at one moment, as documents see it: they agree on what is recorded and
/// on when now is, and what they have in common is made once.
final class Snapshot: Sendable {
    let history: any SampleSource
    let moment: Timestamp
    private let known = Mutex<OverviewReport?>(nil)

    init(of history: any SampleSource, at moment: Timestamp) {
        self.history = RememberedHistory(history)
        self.moment = moment
    }

    /// What pages of every window show beside it.
    func overview(_ make: () throws -> OverviewReport) rethrows -> OverviewReport {
        if let known = known.withLock({ $0 }) { return known }
        let report = try make()
        known.withLock { $0 = report }
        return report
    }
}

/// One state of a history at one moment: the rounds of a window, a hundred thousand in a year, are
/// read once for all documents of it.
struct RememberedHistory: SampleSource {
    private final class Memory: Sendable {
        let rounds = Mutex<[Range<Timestamp>: [RoundMoment]]>([:])
    }

    private var history: any SampleSource
    private let memory = Memory()

    init(_ history: any SampleSource) { self.history = history }

    func rounds(_ window: Range<Timestamp>) throws -> [RoundMoment] {
        if let known = memory.rounds.withLock({ $0[window] }) { return known }
        let rounds = try history.rounds(window)
        memory.rounds.withLock { $0[window] = rounds }
        return rounds
    }

    func read(
        _ window: Range<Timestamp>,
        needsSamples: Bool,
        samples: (Recording) throws -> Void,
        sum: (HourlySum) throws -> Void
    ) throws -> HistoryLimits {
        try history.read(window, needsSamples: needsSamples, samples: samples, sum: sum)
    }

    @discardableResult
    func readSamples(
        _ window: Range<Timestamp>,
        _ body: @escaping (Recording) throws -> Void
    ) throws -> Range<Timestamp>? {
        try history.readSamples(window, body)
    }

    func sites(_ window: Range<Timestamp>) throws -> [AnsweringSites] {
        try history.sites(window)
    }

    func advice(_ window: Range<Timestamp>) throws -> String { try history.advice(window) }

    func targets() throws -> [Recording.Target] { try history.targets() }

    /// Shares the rounds, which are those of all resolvers.
    func limited(to labels: Set<String>) -> any SampleSource {
        var limited = self
        limited.history = history.limited(to: labels)
        return limited
    }
}
