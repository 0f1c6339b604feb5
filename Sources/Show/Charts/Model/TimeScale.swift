import Statistics

/// The window of a chart over time, and the text of its moments. Moments are seconds since 1970 UTC. Charts
/// have no calendar, so the caller supplies the reader's local time.
package struct TimeScale: Sendable {
    /// The offset of local time from UTC, in seconds, from a moment on.
    package typealias Offset = (moment: Int64, seconds: Int)

    package var window: Range<Int64>
    /// Ticks in ascending order. A tick whose text would touch the previous text is drawn without text.
    package var ticks: [TimeMark] = []
    /// Offsets in ascending order. The first offset also applies before its moment. If empty, local time is
    /// UTC.
    package var offsets: [Offset] = []
    /// The days in the window on which the clock changed, as text.
    package var clockChanges: [String] = []
    /// The name of the local time zone, such as `CET/CEST`. Empty if unknown.
    package var zone = ""

    /// The weekdays, Monday first (ISO 8601).
    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let day: Int64 = 86_400

    /// The window, at least one second long, clamped to moments that are safe for arithmetic.
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

    /// The time zone and the days of clock changes, if there are any to report.
    var clockNotes: [String] {
        let changes = clockChanges.joined(separator: "; ")
        let sentences =
            (zone.isEmpty ? [] : ["Times are local (\(zone))."])
            + (changes.isEmpty ? [] : ["The clock changed: \(changes)."])
        return sentences.isEmpty ? [] : [sentences.joined(separator: " ")]
    }

    func visible(_ marks: [TimeMark]) -> [TimeMark] { marks.filter { window.contains($0.moment) } }

    /// Whether `bin` is drawable and at least partly inside the window.
    func shows(_ bin: TimeBin) -> Bool {
        bin.isSound && bin.start < extent.upperBound && bin.end > extent.lowerBound
    }

    /// The moment in seconds of local time.
    func local(_ moment: Int64) -> Int64 {
        let offset = offsets.last { $0.moment <= moment } ?? offsets.first
        return moment + Int64(min(max(offset?.seconds ?? 0, -172_800), 172_800))
    }

    /// The weekday (0 is Monday) and the hour of day of a moment, in local time.
    func place(_ moment: Int64) -> (weekday: Int, hour: Int) {
        let local = local(moment)
        let days = local.dividedDown(by: Self.day)
        // 1 January 1970 was a Thursday.
        return (Int((days + 3).rest(by: 7)), Int(local.rest(by: Self.day) / 3600))
    }

    /// The index of the interval of `span` seconds of local time that contains the moment. Weeks begin on
    /// Monday.
    func intervalIndex(of moment: Int64, span: Int64) -> Int64 {
        (local(moment) + (span % (7 * Self.day) == 0 ? 3 * Self.day : 0)).dividedDown(by: span)
    }
}

extension TimeScale {
    package init(window: Range<Int64>) { self.init(window: window, ticks: []) }
}

/// A moment in seconds since 1970 UTC, with its text: a tick of the axis, or an event.
package struct TimeMark: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case event
        /// A change of the answering server or site.
        case site
    }

    package var kind: Kind
    package var moment: Int64
    package var label: String
    /// The full text, if the label is short.
    package var detail: String?

    package init(_ kind: Kind = .event, moment: Int64, label: String, detail: String? = nil) {
        self.kind = kind
        self.moment = moment
        self.label = label
        self.detail = detail
    }
}
