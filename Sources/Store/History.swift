import GRDB
package import Samples

/// How a window was read: from samples, or whole hours from rollups with samples at the edges.
package struct HistoryCoverage: Hashable, Sendable {
    /// The span of the rollups, whole hours in UTC; `nil` where samples tell all.
    package var hours: Range<Timestamp>?
    /// A part of an hour at the window's beginning of which samples are no longer kept.
    package var lost: Range<Timestamp>?

    package init() {}
}

extension Store {
    /// Up to this length a window is read from samples.
    package static let longestExactWindow = Duration.seconds(8 * 86_400)

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

    /// The rollups of the hours that begin in a window, in their order.
    package func rollups(_ window: Window = Window()) throws(StoreError) -> [HourlySum] {
        var rollups: [HourlySum] = []
        try forEachRollup(window) { rollups.append($0) }
        return rollups
    }

    /// Hands the rollups of the hours that begin in a window to `body`, in their order: for
    /// windows whose rollups need not be in memory at once.
    package func forEachRollup(
        _ window: Window = Window(),
        _ body: (HourlySum) throws -> Void
    ) throws(StoreError) {
        try read { database in
            let start = window.since?.hourNumberRoundedUp ?? .min
            let end = window.until?.hourNumberRoundedUp ?? .max
            guard start < end else { return }
            try RollupReader(window, database).read(start..<end, body)
        }
    }
}

/// When the rounds of a store were, or of several.
struct HistoryExtent {
    /// When the first sample left, and the last, in nanoseconds; `nil` without any.
    var span: ClosedRange<Int64>?
    /// Before this hour, counted from 1970, samples were pruned.
    var pruned: Int64?

    init() {}

    init(_ database: Database) throws {
        span =
            try database.first("SELECT min(start), max(stop) FROM round") { row in
                guard let first = try row.optionalInteger(0), let last = try row.optionalInteger(1),
                    first <= last
                else { return nil }
                return first...last
            } ?? nil
        pruned = try database.integer("SELECT hour FROM pruning")
    }

    mutating func merge(_ other: HistoryExtent) {
        if let more = other.span {
            let own = span ?? more
            span = min(own.lowerBound, more.lowerBound)...max(own.upperBound, more.upperBound)
        }
        if let hour = other.pruned { pruned = max(pruned ?? hour, hour) }
    }
}

/// Which part of a window is read from rollups.
struct HistoryPlan {
    let window: Store.Window
    /// Counted from 1970; `nil` where samples tell all.
    var hours: Range<Int64>?
    /// The part before the first whole hour that is gone.
    var lost: Range<Timestamp>?

    init(_ window: Store.Window, exact: Bool, _ extent: HistoryExtent) {
        self.window = window
        guard let span = extent.span else { return }
        let (first, last) = (span.lowerBound, span.upperBound)
        let since = max(window.since?.nanoseconds ?? first, first)
        let until = min(window.until?.nanoseconds ?? .max, last == .max ? last : last + 1)
        guard since < until else { return }
        let length = Timestamp(nanoseconds: until).since(Timestamp(nanoseconds: since))
        let isLong = length > Store.longestExactWindow && !exact
        // A window that begins before the first round has that round's whole hour.
        let start =
            since == first
            ? Timestamp(nanoseconds: first).hourNumber
            : Timestamp(nanoseconds: since).hourNumberRoundedUp
        let end =
            until > last
            ? Timestamp(nanoseconds: last).hourNumber + 1
            : Timestamp(nanoseconds: until).hourNumber
        let stop = isLong ? end : min(end, extent.pruned ?? .min)
        guard start < stop else { return }
        hours = start..<stop
        let begin = Timestamp(hourNumber: start)
        if let pruned = extent.pruned, start <= pruned, since < begin.nanoseconds {
            lost = Timestamp(nanoseconds: since)..<begin
        }
    }

    /// The windows that are read from samples.
    var exactWindows: [Store.Window] {
        guard let hours else { return [window] }
        let begin = Timestamp(hourNumber: hours.lowerBound)
        let after = window.between(Timestamp(hourNumber: hours.upperBound), window.until)
        guard let since = window.since, since < begin, lost == nil else { return [after] }
        return [window.between(since, begin), after]
    }
}

extension Timestamp {
    /// The first hour that begins then or later, counted from 1970.
    var hourNumberRoundedUp: Int64 {
        let hour = hourNumber
        return Timestamp(hourNumber: hour) == self ? hour : hour + 1
    }
}
