import SQLite
package import Samples

extension Store {
    /// Up to this length a window is read from samples, where they are not too many.
    package static let longestExactWindow = Duration.seconds(8 * 86_400)
    package static let mostExactSamples = 4_000_000

    /// The samples of a window that are still kept, in the order of sending.
    package func recording(_ window: Window = Window()) throws(StoreError) -> Recording {
        try read { database in
            var recording = Recording()
            var pieces = 0
            try RecordingReader.read(window, database, isWanted: { _ in true }) { piece in
                recording.merge(piece)
                pieces += 1
            }
            // Rounds may overlap where two pieces meet.
            if pieces > 1 { recording.sortBySending() }
            return recording
        }
    }

    /// Hands the rollups of the hours that begin in a window to `body`, in their order: for
    /// windows whose rollups need not be in memory at once.
    package func forEachRollup(
        _ window: Window = Window(),
        _ body: (HourlySum) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let (start, end) = (window.since.hourNumberRoundedUp, window.until.hourNumberRoundedUp)
            guard start < end else { return }
            try RollupReader(window, database).read(start..<end, body)
        }
    }
}

extension Store: SumSource {
    package func forEachSum(
        since: Timestamp?,
        origins: Set<Run.Origin>,
        _ body: (HourlySum) throws -> Void
    ) throws {
        try forEachRollup(Window(since: since, origins: origins), body)
    }
}

/// When the rounds of a store were, or of several.
struct HistoryExtent {
    /// When the first sample left, and the last; `nil` without any.
    var span: ClosedRange<Timestamp>?
    /// Before this hour, counted from 1970, samples were pruned.
    var pruned: Int64?

    init() {}

    init(_ database: Database) throws {
        span =
            try database.first("SELECT min(start), max(stop) FROM round") { row in
                guard let first = try row.optionalInteger(0), let last = try row.optionalInteger(1),
                    first <= last
                else { return nil }
                return Timestamp(nanoseconds: first)...Timestamp(nanoseconds: last)
            } ?? nil
        pruned = try database.integer("SELECT hour FROM pruning")
    }

    mutating func merge(_ other: HistoryExtent) {
        if let more = other.span { span = span?.union(more) ?? more }
        if let hour = other.pruned { pruned = max(pruned ?? hour, hour) }
    }
}

/// How a window is read: from samples, or whole hours from rollups with samples at the edges.
package struct HistoryPlan {
    private let window: Store.Window
    /// The hours that are read from rollups, counted from 1970; `nil` where samples tell all.
    private(set) var hourNumbers: Range<Int64>?
    /// The part of an hour at the window's beginning of which samples are no longer kept.
    package private(set) var lost: Range<Timestamp>?

    init(_ window: Store.Window, exact: Bool, isMuch: Bool, _ extent: HistoryExtent) {
        self.window = window
        guard let span = extent.span else { return }
        let (first, last) = (span.lowerBound, span.upperBound)
        let since = max(window.since, first)
        let until = min(window.until, last.advanced(by: .nanoseconds(1)))
        guard since < until else { return }
        let isLong = (isMuch || until.since(since) > Store.longestExactWindow) && !exact
        // A window that begins before the first round has that round's whole hour.
        let start = since == first ? first.hourNumber : since.hourNumberRoundedUp
        let end = until > last ? last.hourNumber + 1 : until.hourNumber
        let stop = isLong ? end : min(end, extent.pruned ?? .min)
        guard start < stop else { return }
        hourNumbers = start..<stop
        let begin = Timestamp(hourNumber: start)
        if let pruned = extent.pruned, start <= pruned, since < begin {
            lost = since..<begin
        }
    }

    /// The span of the rollups, whole hours in UTC; `nil` where samples tell all.
    package var hours: Range<Timestamp>? {
        hourNumbers.map {
            Timestamp(hourNumber: $0.lowerBound)..<Timestamp(hourNumber: $0.upperBound)
        }
    }

    /// The windows that are read from samples.
    var exactWindows: [Store.Window] {
        guard let hours else { return [window] }
        let after = window.between(hours.upperBound, window.until)
        guard window.since < hours.lowerBound, lost == nil else { return [after] }
        return [window.between(window.since, hours.lowerBound), after]
    }
}

extension Timestamp {
    /// The first hour that begins then or later, counted from 1970.
    var hourNumberRoundedUp: Int64 {
        let hour = hourNumber
        return Timestamp(hourNumber: hour) == self ? hour : hour + 1
    }
}
