import GRDB
public import Measurement

/// What a store, or several, have of a window: samples, or the rollups of whole hours with samples
/// at the edges.
public struct History: Sendable {
    /// The exact part: of the whole window, or of what lies outside ``hours``.
    public var recording: Recording
    /// The rest, hour by hour.
    public var rollups: [Rollup]
    /// What the rollups stand for, whole hours in UTC; `nil` where samples tell all.
    public var hours: Range<Timestamp>?
    /// A part of an hour at the window's beginning of which samples are no longer kept.
    public var lost: Range<Timestamp>?

    public init(recording: Recording, rollups: [Rollup] = [], hours: Range<Timestamp>? = nil) {
        self.recording = recording
        self.rollups = rollups
        self.hours = hours
    }
}

extension Store {
    /// Up to this length a window is read from samples.
    public static let longestExactWindow = Duration.seconds(8 * 86_400)

    /// What is kept of a window: samples where it is up to 8 days long, or `exact`; else whole
    /// hours from rollups, and where samples were pruned always.
    public func history(
        _ window: Window,
        exact: Bool = false
    ) throws(StoreError) -> History {
        try read { try Self.history(window, exact: exact, $0) { _, _ in true } }
    }

    /// The samples of a window that are still kept, in the order of sending.
    public func recording(_ window: Window = Window()) throws(StoreError) -> Recording {
        try read { try RecordingReader.read(window, $0) { _, _ in true } }
    }

    /// The rollups of the hours that begin in a window, in their order.
    public func rollups(_ window: Window = Window()) throws(StoreError) -> [Rollup] {
        var rollups: [Rollup] = []
        try forEachRollup(window) { rollups.append($0) }
        return rollups
    }

    /// Hands the rollups of the hours that begin in a window to `body`, in their order: for
    /// windows whose rollups need not be in memory at once.
    public func forEachRollup(
        _ window: Window = Window(),
        _ body: (Rollup) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let start = window.since?.hourNumberRoundedUp ?? .min
            let end = window.until?.hourNumberRoundedUp ?? .max
            guard start < end else { return }
            try RollupReader(window, database).read(start..<end, body)
        }
    }

    static func history(
        _ window: Window,
        exact: Bool,
        _ database: Database,
        isWanted: (Recording.Run, Int32) -> Bool
    ) throws -> History {
        guard let plan = try HistoryPlan(window, exact: exact, database) else {
            return History(
                recording: try RecordingReader.read(window, database, isWanted: isWanted)
            )
        }
        var rollups: [Rollup] = []
        try RollupReader(window, database).read(plan.hours) { rollups.append($0) }
        var history = History(
            recording: try plan.edges(database, isWanted: isWanted),
            rollups: rollups,
            hours: Timestamp(
                hourNumber: plan.hours.lowerBound
            )..<Timestamp(hourNumber: plan.hours.upperBound)
        )
        history.lost = plan.lost
        return history
    }
}

/// Which part of a window is read from rollups.
private struct HistoryPlan {
    let window: Store.Window
    /// Counted from 1970.
    let hours: Range<Int64>
    /// What is gone before the first whole hour.
    let lost: Range<Timestamp>?

    /// `nil` where samples tell all.
    init?(_ window: Store.Window, exact: Bool, _ database: Database) throws {
        self.window = window
        let bounds = try Row.fetchOne(database, sql: "SELECT min(start), max(stop) FROM round")
        guard let first: Int64 = bounds?[0], let last: Int64 = bounds?[1] else { return nil }
        let pruned = try Int64.fetchOne(database, sql: "SELECT hour FROM pruning")
        let since = max(window.since?.nanoseconds ?? first, first)
        let until = min(window.until?.nanoseconds ?? .max, last == .max ? last : last + 1)
        guard since < until else { return nil }
        let isLong =
            Timestamp(nanoseconds: until).since(Timestamp(nanoseconds: since))
            > Store.longestExactWindow
        // A window that begins before the first round has that round's whole hour.
        let start =
            window.since.map { $0.nanoseconds <= first } ?? true
            ? Timestamp(nanoseconds: first).hourNumber
            : Timestamp(nanoseconds: since).hourNumberRoundedUp
        let end =
            window.until.map { $0.nanoseconds > last } ?? true
            ? Timestamp(nanoseconds: last).hourNumber + 1 : Timestamp(nanoseconds: until).hourNumber
        let stop = isLong && !exact ? end : min(end, pruned ?? .min)
        guard start < stop else { return nil }
        hours = start..<stop
        let begin = Timestamp(hourNumber: start)
        let isLost = pruned.map { start <= $0 } ?? false
        lost =
            isLost && since < begin.nanoseconds ? Timestamp(nanoseconds: since)..<begin : nil
    }

    /// The samples before and after the hours.
    func edges(
        _ database: Database,
        isWanted: (Recording.Run, Int32) -> Bool
    ) throws -> Recording {
        let begin = Timestamp(hourNumber: hours.lowerBound)
        let end = Timestamp(hourNumber: hours.upperBound)
        var recording = Recording(runs: [], targets: [], questions: [])
        let isBefore = window.since.map { $0 < begin } ?? false
        if isBefore, lost == nil {
            let before = window.between(window.since, begin)
            recording.merge(try RecordingReader.read(before, database, isWanted: isWanted))
        }
        let after = window.between(end, window.until)
        recording.merge(try RecordingReader.read(after, database, isWanted: isWanted))
        return recording
    }
}

extension Timestamp {
    /// The first hour that begins then or later, counted from 1970.
    var hourNumberRoundedUp: Int64 {
        let hour = hourNumber
        return Timestamp(hourNumber: hour) == self ? hour : hour + 1
    }
}
