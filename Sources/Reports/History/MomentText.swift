package import Catalogue
import Charts
package import Samples

/// The text of a moment, as `--since` and `--until` take it.
package enum MomentText {
    /// Reads `now`, how long ago (`7d`, `36h`), a day (`2026-05-01`, its start) or a time
    /// (`2026-05-01T14:30`) on `clock`, or RFC 3339 with `Z` or an offset. `option` is what errors
    /// name, such as `--since`.
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
        guard let time = time(text), let moment = clock.moment(of: time) else {
            throw CatalogueError(
                .usage,
                "\(option): '\(text.prefix(100))' is not a moment; write 7d or 36h (ago), "
                    + "2026-05-01, 2026-05-01T14:30, 2026-05-01T14:30:00Z or now"
            )
        }
        return moment
    }

    /// Reads a window and makes sure that it has a length.
    package static func window(
        since: String,
        until: String,
        now: Timestamp,
        clock: LocalClock
    ) throws(CatalogueError) -> Range<Timestamp> {
        let start = try parse(since, option: "--since", now: now, clock: clock)
        let end = try parse(until, option: "--until", now: now, clock: clock)
        guard start < end else {
            throw CatalogueError(
                .usage,
                "--since (\(clock.text(start))) is not before --until (\(clock.text(end))): "
                    + "choose an earlier --since"
            )
        }
        return start..<end
    }

    /// `YYYY-MM-DD`, alone or with `THH:MM` or `THH:MM:SS`.
    private static func time(_ text: String) -> LocalTime? {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard (1...2).contains(halves.count),
            let day = numbers(halves[0], separator: "-", widths: [4, 2, 2]),
            let date = CivilDate(year: day[0], month: day[1], day: day[2])
        else { return nil }
        guard halves.count == 2 else { return LocalTime(date: date) }
        guard
            let clock = numbers(halves[1], separator: ":", widths: [2, 2])
                ?? numbers(halves[1], separator: ":", widths: [2, 2, 2]),
            clock[0] < 24, clock[1] < 60, clock.count < 3 || clock[2] < 60
        else { return nil }
        return LocalTime(
            date: date,
            hour: clock[0],
            minute: clock[1],
            second: clock.count > 2 ? clock[2] : 0
        )
    }

    private static func numbers(
        _ text: Substring,
        separator: Character,
        widths: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == widths.count else { return nil }
        var numbers: [Int] = []
        for (part, width) in zip(parts, widths) {
            guard part.utf8.count == width, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

extension TimeScale {
    /// The axis of a window on the reader's clock, with a tick at round times of it.
    init(_ context: WindowContext) {
        let (window, clock) = (context.window, context.clock)
        let first = window.lowerBound.wholeSeconds
        let last = max(first + 1, window.upperBound.wholeSeconds)
        let periods = clock.periods(from: window.lowerBound, to: window.upperBound)
        let odd = clock.oddDays(from: window.lowerBound, to: window.upperBound)
        self.init(
            window: first..<last,
            ticks: ClockTicks(window: window, clock: clock).ticks,
            offsets: periods.map { ($0.second, Int($0.offset)) },
            clockChanges: odd.map { day in
                let hours = (Double(day.minutes) / 60).fixed(least: 0, most: 2)
                return "\(day.date) has \(hours) hours"
            },
            zone: clock.name(from: window.lowerBound, to: window.upperBound)
        )
    }
}

/// Round times of a clock in a window: at most twelve, each with as much of date and time as
/// tells it from the one before.
struct ClockTicks {
    private static let limit = 12
    private static let day = 86_400
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// Minutes between ticks within days.
    private static let minutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720]
    /// Days between ticks within months; seven begin on Monday.
    private static let days = [1, 2, 7, 14]
    /// Months between ticks.
    private static let spans = [1, 2, 3, 6, 12, 24, 60, 120]

    let ticks: [TimeMark]

    init(window: Range<Timestamp>, clock: LocalClock) {
        let first = clock.time(at: window.lowerBound)
        let last = clock.time(at: window.upperBound)
        let seconds = max(0, last.secondsOnClock - first.secondsOnClock)
        let times: [(time: LocalTime, label: String)]
        if let step = Self.minutes.first(where: { seconds / Int64($0 * 60) < Self.limit }) {
            times = Self.times(every: step * 60, from: first, to: last)
        } else if let step = Self.days.first(where: { seconds / Int64($0 * Self.day) < Self.limit })
        {
            times = Self.dates(every: step, from: first.date, to: last.date)
        } else {
            times = Self.months(from: first.date, to: last.date)
        }
        ticks = times.compactMap { time, label in
            guard let moment = clock.moment(of: time), window.contains(moment) else { return nil }
            return TimeMark(moment: moment.wholeSeconds, label: label)
        }
    }

    private static func times(
        every step: Int,
        from first: LocalTime,
        to last: LocalTime
    ) -> [(LocalTime, String)] {
        let start = first.secondsOnClock / Int64(step) * Int64(step)
        return stride(from: start, through: last.secondsOnClock, by: step).map { second in
            let time = LocalTime(secondsOnClock: second)
            let isMidnight = time.hour == 0 && time.minute == 0
            return (time, isMidnight ? label(time.date) : String(time.description.suffix(5)))
        }
    }

    private static func dates(
        every step: Int,
        from first: CivilDate,
        to last: CivilDate
    ) -> [(LocalTime, String)] {
        // 1970-01-05 was a Monday.
        let monday = step % 7 == 0 ? 4 : 0
        let start = (first.daysSinceEpoch - monday) / step * step + monday
        return stride(from: start, through: last.daysSinceEpoch, by: step).map { day in
            let date = CivilDate(daysSinceEpoch: day)
            return (LocalTime(date: date), label(date))
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

    private static func label(_ date: CivilDate) -> String {
        "\(date.day) \(months[date.month - 1])"
    }
}
