/// The window of a chart over time and how its moments are written: charts know no calendar, so
/// the reader's local time comes with them. Moments are seconds since 1970 UTC.
package struct TimeScale: Sendable {
    /// From a moment on, local time is so many seconds ahead of UTC.
    package typealias Offset = (moment: Int64, seconds: Int)

    package var window: Range<Int64>
    /// Ascending; those that would touch the one before are drawn without text.
    package var ticks: [TimeMark] = []
    /// Ascending; the first also holds before its moment. None is UTC.
    package var offsets: [Offset] = []
    /// The days inside the window on which the clock changed, in words.
    package var clockChanges: [String] = []
    /// The name of the local time, such as `CET/CEST`; empty where it is not told.
    package var zone = ""

    /// Monday first (ISO 8601).
    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let day: Int64 = 86_400

    /// The window, at least a second long, within moments that can be reckoned with.
    var extent: Range<Int64> {
        let past: Int64 = 1 << 41
        let lower = min(max(window.lowerBound, -past), past)
        return lower..<max(lower + 1, min(window.upperBound, past))
    }

    var length: Double { Double(extent.upperBound - extent.lowerBound) }

    var axis: Axis {
        let lower = Double(extent.lowerBound)
        return Axis(lower: lower, upper: lower + length, ticks: [])
    }

    /// The clock of the times, and the days on which it changed, where there is something to say.
    var clockNotes: [String] {
        let changes = clockChanges.joined(separator: "; ")
        let sentences =
            (zone.isEmpty ? [] : ["Times are local (\(zone))."])
            + (changes.isEmpty ? [] : ["The clock changed: \(changes)."])
        return sentences.isEmpty ? [] : [sentences.joined(separator: " ")]
    }

    func visible(_ marks: [TimeMark]) -> [TimeMark] { marks.filter { window.contains($0.moment) } }

    /// Whether `bin` can be drawn and lies in the window, at least in part.
    func shows(_ bin: TimeBin) -> Bool {
        bin.isSound && bin.start < extent.upperBound && bin.end > extent.lowerBound
    }

    /// Seconds of local time.
    func local(_ moment: Int64) -> Int64 {
        let offset = offsets.last { $0.moment <= moment } ?? offsets.first
        return moment + Int64(min(max(offset?.seconds ?? 0, -172_800), 172_800))
    }

    /// The weekday, 0 for Monday, and the hour of the day of a moment, in local time.
    func place(_ moment: Int64) -> (weekday: Int, hour: Int) {
        let local = local(moment)
        let days = Self.floor(local, by: Self.day)
        // 1 January 1970 was a Thursday.
        let weekday = days + 3 - Self.floor(days + 3, by: 7) * 7
        return (Int(weekday), Int((local - days * Self.day) / 3600))
    }

    /// The number of a moment's interval of `span` seconds of local time; weeks begin on Monday.
    func intervalIndex(of moment: Int64, span: Int64) -> Int64 {
        Self.floor(local(moment) + (span % (7 * Self.day) == 0 ? 3 * Self.day : 0), by: span)
    }

    private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension TimeScale {
    package init(window: Range<Int64>) { self.init(window: window, ticks: []) }
}

/// A moment, in seconds since 1970 UTC, and its text: a tick of the axis, or an event.
package struct TimeMark: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case event
        /// From then on another server or site answered.
        case site
    }

    package var kind: Kind
    package var moment: Int64
    package var label: String
    /// The whole of it, where the label is short.
    package var detail: String?

    package init(_ kind: Kind = .event, moment: Int64, label: String, detail: String? = nil) {
        self.kind = kind
        self.moment = moment
        self.label = label
        self.detail = detail
    }
}
