import GRDB
import Samples

/// When the rounds of a store were, or of several.
struct HistoryExtent {
    /// When the first sample left, and the last, in nanoseconds; `nil` without any.
    var span: ClosedRange<Int64>?
    /// Before this hour, counted from 1970, samples were pruned.
    var pruned: Int64?

    init() {}

    init(_ database: Database) throws {
        let row = try BoundStatement(database, "SELECT min(start), max(stop) FROM round")
        defer { row.reset() }
        if try row.step(), let first = try row.optionalInteger(0),
            let last = try row.optionalInteger(1), first <= last
        {
            span = first...last
        }
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
    /// What is gone before the first whole hour.
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
