import SQLite
package import Samples

extension Store {
    /// The maximum length of a window that is read from samples, if the samples are not too many.
    package static let longestExactWindow = Duration.seconds(8 * 86_400)
    package static let mostExactSamples = 4_000_000

    /// The samples of a window that are still stored, in the order of sending.
    package func recording(_ window: Window = Window()) throws(StoreError) -> Recording {
        try read { database in
            var recording = Recording()
            var pieces = 0
            try RecordingReader.read(window, database, isWanted: { _ in true }) { piece in
                recording.merge(piece)
                pieces += 1
            }
            // Rounds of two adjacent pieces may overlap.
            if pieces > 1 { recording.sortBySending() }
            return recording
        }
    }

    /// Passes the rollups of the hours that begin in a window to `body`, in order. The rollups need not be in
    /// memory at the same time.
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

/// The time span of the rounds of one store or of several stores.
struct HistoryExtent {
    /// The times at which the first and the last sample left; `nil` without samples.
    var span: ClosedRange<Timestamp>?
    /// The hour, counted from 1970, before which samples were pruned.
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

/// The way to read a window: from samples, or whole hours from rollups and the edges from samples.
package struct HistoryPlan {
    private let window: Store.Window
    /// The hours to read from rollups, counted from 1970; `nil` if the samples are sufficient.
    private(set) var hourNumbers: Range<Int64>?
    /// The part of an hour at the window's beginning whose samples were pruned.
    package private(set) var lost: Range<Timestamp>?

    init(_ window: Store.Window, exact: Bool, isMuch: Bool, _ extent: HistoryExtent) {
        self.window = window
        guard let span = extent.span else { return }
        let (first, last) = (span.lowerBound, span.upperBound)
        let since = max(window.since, first)
        let until = min(window.until, last.advanced(by: .nanoseconds(1)))
        guard since < until else { return }
        let isLong = (isMuch || until.since(since) > Store.longestExactWindow) && !exact
        // A window that begins before the first round includes the whole hour of that round.
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

    /// The span of the rollups, in whole hours of UTC; `nil` if the samples are sufficient.
    package var hours: Range<Timestamp>? {
        hourNumbers.map {
            Timestamp(hourNumber: $0.lowerBound)..<Timestamp(hourNumber: $0.upperBound)
        }
    }

    /// The windows to read from samples.
    var exactWindows: [Store.Window] {
        guard let hours else { return [window] }
        let after = window.between(hours.upperBound, window.until)
        guard window.since < hours.lowerBound, lost == nil else { return [after] }
        return [window.between(window.since, hours.lowerBound), after]
    }
}

extension Timestamp {
    /// The first hour that begins at this time or later, counted from 1970.
    var hourNumberRoundedUp: Int64 {
        let hour = hourNumber
        return Timestamp(hourNumber: hour) == self ? hour : hour + 1
    }
}
