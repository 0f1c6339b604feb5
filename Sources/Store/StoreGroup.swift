import GRDB
import Measurement

/// Several stores read as one, each in turn, so that there is no limit to their number. A round
/// that more than one of them has counts once.
public struct StoreGroup: Sendable {
    public let stores: [Store]

    public init(_ stores: [Store]) { self.stores = stores }

    /// Opens every store to be read.
    public init(paths: [String]) throws(StoreError) {
        var stores: [Store] = []
        for path in paths { stores.append(try Store(path: path, access: .readOnly)) }
        self.stores = stores
    }

    /// What they have of a window, as ``Store/history(_:exact:)`` gives it.
    public func history(
        _ window: Store.Window,
        exact: Bool = false
    ) throws(StoreError) -> History {
        var extent = HistoryExtent()
        for store in stores { extent.merge(try store.read { try HistoryExtent($0) }) }
        let plan = HistoryPlan(window, exact: exact, extent)
        var history = History()
        history.hours = plan.hours.map {
            Timestamp(hourNumber: $0.lowerBound)..<Timestamp(hourNumber: $0.upperBound)
        }
        history.lost = plan.lost
        var seen = SeenRounds(isNeeded: stores.count > 1)
        for store in stores {
            try store.read { try read(plan, $0, &seen, into: &history) }
        }
        if stores.count > 1 || plan.exactWindows.count > 1 { history.recording.sortBySending() }
        return history
    }

    /// The rounds of a window, in the order of their start.
    public func rounds(_ window: Store.Window = .init()) throws(StoreError) -> [StoredRound] {
        var known: Set<RoundName> = []
        var rounds: [StoredRound] = []
        for store in stores {
            rounds += try store.rounds(window).filter {
                known.insert(RoundName(run: $0.run.recordingRun, number: $0.number)).inserted
            }
        }
        if stores.count > 1 { rounds.sort { $0.start < $1.start } }
        return rounds
    }

    private func read(
        _ plan: HistoryPlan,
        _ database: Database,
        _ seen: inout SeenRounds,
        into history: inout History
    ) throws {
        let shared = try seen.look(plan.window, database)
        for window in plan.exactWindows {
            history.recording.merge(
                try RecordingReader.read(window, database) { !shared.contains($0) }
            )
        }
        guard let hours = plan.hours else { return }
        let apart = try SharedHours(shared, within: hours, plan.window, database)
        try RollupReader(plan.window, database).read(hours) { rollup in
            if !apart.hours.contains(rollup.hour.hourNumber) { history.rollups.append(rollup) }
        }
        history.rollups += try apart.rollups(plan.window, database)
        history.unmergedHours += apart.lostHours.count
    }
}

/// What a round is called in every store.
struct RoundName: Hashable {
    var run: Recording.Run
    var number: Int32
}

/// The rounds that earlier stores have given.
private struct SeenRounds {
    private var rounds: Set<RoundName> = []
    /// Whether a later store may have them too.
    let isNeeded: Bool

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// Takes the rounds of one more store, and returns those that were there before.
    mutating func look(_ window: Store.Window, _ database: Database) throws -> Set<RoundName> {
        guard isNeeded else { return [] }
        var shared: Set<RoundName> = []
        try RunTable(database).rounds(window, database) { _, entry, number in
            let name = RoundName(run: entry.run.recordingRun, number: number)
            if !rounds.insert(name).inserted { shared.insert(name) }
        }
        return shared
    }
}

/// The hours of a store that have rounds of an earlier one: its rollups would count them again.
private struct SharedHours {
    private(set) var hours: Set<Int64> = []
    /// Those of which the store's own rounds are no longer kept as samples.
    private(set) var lostHours: Set<Int64> = []
    /// The rounds in such hours that no earlier store has.
    private var own: Set<RoundName> = []

    init(
        _ shared: Set<RoundName>,
        within range: Range<Int64>,
        _ window: Store.Window,
        _ database: Database
    ) throws {
        guard !shared.isEmpty else { return }
        var others: [(name: RoundName, hours: ClosedRange<Int64>, isPruned: Bool)] = []
        try RunTable(database).rounds(window, database) { row, entry, number in
            let name = RoundName(run: entry.run.recordingRun, number: number)
            let first = max(Timestamp(nanoseconds: row.start).hourNumber, range.lowerBound)
            let last = min(Timestamp(nanoseconds: row.stop).hourNumber, range.upperBound - 1)
            guard first <= last else { return }
            if shared.contains(name) {
                hours.formUnion(first...last)
            } else {
                others.append((name, first...last, row.isPruned))
            }
        }
        for other in others {
            let touched = hours.filter(other.hours.contains)
            guard !touched.isEmpty else { continue }
            own.insert(other.name)
            if other.isPruned { lostHours.formUnion(touched) }
        }
    }

    /// What the store's own rounds add up to in these hours.
    func rollups(_ window: Store.Window, _ database: Database) throws -> [Rollup] {
        guard !own.isEmpty, let first = hours.min(), let last = hours.max() else { return [] }
        let span = window.between(
            Timestamp(hourNumber: first),
            Timestamp(hourNumber: last + 1)
        )
        var builder = RollupBuilder()
        try RunTable(database).rounds(span, database) { row, entry, number in
            let name = RoundName(run: entry.run.recordingRun, number: number)
            guard own.contains(name), !row.isPruned, !row.marks.excludesSamples else { return }
            var reader = RecordingReader(span, database)
            let samples = try reader.samples(
                of: StoredPiece(row: row, entry: entry, number: number)
            )
            builder.add(samples, of: entry.run, targets: reader.targets, reader.questions) {
                hours.contains($0)
            }
        }
        return builder.rollups
    }
}
