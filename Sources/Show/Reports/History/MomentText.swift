package import Catalogue
import Charts
import Failures
package import Samples

/// The text of a time for `--since` and `--until`.
package enum MomentText {
    /// Reads `now`, an age (`7d`, `36h`, `2w`, `2mo`, `1y`), the start of a day (`2026-05-01`) or a time
    /// (`2026-05-01T14:30`) on `clock`. Also reads RFC 3339 with `Z` or an offset, with or without seconds.
    /// Errors name `option`, such as `--since`.
    package static func parse(
        _ text: String,
        option: String,
        now: Timestamp,
        clock: LocalClock
    ) throws(CatalogueError) -> Timestamp {
        if text == "now" { return now }
        if let moment = Timestamp(text) { return moment }
        if let duration = try? Duration(parsing: text) {
            return now.advanced(by: .zero - duration)
        }
        if let moment = calendarMoment(text, before: now, clock) { return moment }
        guard let time = LocalTime(text), let moment = clock.moment(of: time) else {
            throw CatalogueError(
                .usage,
                "\(option): '\(text.prefix(100))' is not a moment; write 7d, 36h, 2w, 2mo or 1y "
                    + "(ago), 2026-05-01, 2026-05-01T14:30, 2026-05-01T14:30Z or now"
            )
        }
        return moment
    }

    /// The number of minutes of a text such as `4m`, which can mean months; `nil` for other texts, and for
    /// numbers that are too large for months.
    package static func possibleMonths(_ text: String) -> Int? {
        guard let (count, unit) = quantity(text), unit == "m", (1...24).contains(count) else {
            return nil
        }
        return count
    }

    /// The time that is a number of weeks (`w`), months (`mo`) or years (`y`) before `now`. Months and years
    /// follow the calendar of `clock`.
    private static func calendarMoment(
        _ text: String,
        before now: Timestamp,
        _ clock: LocalClock
    ) -> Timestamp? {
        guard let (count, unit) = quantity(text) else { return nil }
        switch unit {
        case "w": return now.advanced(by: .zero - .seconds(count * 7 * 86_400))
        case "mo": return moment(months: count, before: now, clock)
        case "y": return moment(months: count * 12, before: now, clock)
        default: return nil
        }
    }

    private static func moment(
        months: Int,
        before now: Timestamp,
        _ clock: LocalClock
    ) -> Timestamp? {
        var time = clock.time(at: now)
        let month = time.date.year * 12 + time.date.month - 1 - months
        guard month >= 0 else { return nil }
        // The 31st, and in February the 29th and the 30th, become the last day of a shorter month.
        for day in stride(from: time.date.day, to: time.date.day - 4, by: -1) {
            if let date = CivilDate(year: month / 12, month: month % 12 + 1, day: day) {
                time.date = date
                return clock.moment(of: time)
            }
        }
        return nil
    }

    /// An integer of up to four digits, and its unit.
    private static func quantity(_ text: String) -> (count: Int, unit: Substring)? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard digits.utf8.count <= 4, let count = Int(digits) else { return nil }
        return (count, text[digits.endIndex...])
    }
}

extension TimeScale {
    /// The axis of a window on the reader's clock, with ticks at round times.
    init(_ context: WindowContext) {
        self.init(context.window, context.clock)
        if context.medium == .page { zone = "" }
    }

    init(_ window: Range<Timestamp>, _ clock: LocalClock) {
        let first = window.lowerBound.wholeSeconds
        let last = max(first + 1, window.upperBound.wholeSeconds)
        let periods = clock.periods(from: window.lowerBound, to: window.upperBound)
        let odd = clock.oddDays(from: window.lowerBound, to: window.upperBound)
        self.init(window: first..<last)
        ticks = ClockTicks(window: window, clock: clock).ticks
        offsets = periods.map { ($0.second, Int($0.offset)) }
        clockChanges = odd.map(\.text)
        zone = clock.name(from: window.lowerBound, to: window.upperBound)
    }
}

extension LocalClock.OddDay {
    /// The day in words, such as `2026-03-29 has 23 hours`.
    var text: String { "\(date) has \((Double(minutes) / 60).fixed(least: 0, most: 2)) hours" }
}

/// Round times of a clock in a window: at most twelve. Each has the part of date and time that differs from
/// the tick before.
struct ClockTicks {
    private static let limit = 12
    private static let day: Int64 = 86_400
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Seconds between ticks within months.
    private static let steps: [Int64] =
        [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map { $0 * 60 }
        + [1, 2, 7, 14].map { $0 * day }
    /// Months between ticks that are further apart.
    private static let spans = [1, 2, 3, 6, 12, 24, 60, 120]

    let ticks: [TimeMark]

    init(window: Range<Timestamp>, clock: LocalClock) {
        let first = clock.time(at: window.lowerBound)
        let last = clock.time(at: window.upperBound)
        let seconds = max(0, last.secondsOnClock - first.secondsOnClock)
        let step = Self.steps.first { seconds / $0 < Self.limit }
        let times =
            step.map { Self.times(every: $0, from: first, to: last) }
            ?? Self.months(from: first.date, to: last.date)
        ticks = times.reduce(into: []) { ticks, tick in
            let (time, label) = tick
            guard let moment = clock.moment(of: time), window.contains(moment) else { return }
            // A time that the clock skips has no tick. A day whose midnight the clock skips has a label at
            // its start, with the date instead of the hour.
            let shown = clock.time(at: moment)
            guard [shown, LocalTime(date: shown.date)].contains(time),
                ticks.last?.moment != moment.wholeSeconds
            else { return }
            ticks.append(TimeMark(moment: moment.wholeSeconds, label: label))
        }
    }

    private static func times(
        every step: Int64,
        from first: LocalTime,
        to last: LocalTime
    ) -> [(LocalTime, String)] {
        // Weeks begin on Monday, as 1970-01-05 was.
        let monday = step % (7 * day) == 0 ? 4 * day : 0
        let start = (first.secondsOnClock - monday) / step * step + monday
        return stride(from: start, through: last.secondsOnClock, by: Int(step)).map {
            let time = LocalTime(secondsOnClock: $0)
            let isMidnight = time.hour == 0 && time.minute == 0
            let label = "\(time.date.day) \(months[time.date.month - 1])"
            return (time, isMidnight ? label : String(time.description.suffix(5)))
        }
    }

    private static func months(
        from first: CivilDate,
        to last: CivilDate
    ) -> [(LocalTime, String)] {
        let start = first.year * 12 + first.month - 1
        let end = last.year * 12 + last.month - 1
        let step = spans.first { (end - start) / $0 <= limit } ?? 1200
        return stride(from: start / step * step, through: end, by: step).compactMap { month in
            guard let date = CivilDate(year: month / 12, month: month % 12 + 1, day: 1) else {
                return nil
            }
            let name = months[month % 12]
            return (LocalTime(date: date), date.month == 1 ? "\(name) \(date.year)" : name)
        }
    }
}

extension Timestamp {
    /// The time to the minute, such as `2026-11-21T03:17Z`.
    package var minuteText: String { "\(description.prefix(16))Z" }
}
