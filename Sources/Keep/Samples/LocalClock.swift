import LibC
import Statistics

/// The reader's local time over an interval: its offset from UTC, and the changes of the offset.
package struct LocalClock: Hashable, Sendable {
    /// A change of the offset: from `second` on, the clock is `offset` seconds ahead of UTC.
    package struct Change: Hashable, Sendable {
        /// The time of the change, in seconds since 1970-01-01T00:00:00Z.
        package var second: Int64
        /// The offset in seconds.
        package var offset: Int64
        /// The name of the local time, such as `CEST`.
        package var name: String

        package init(second: Int64, offset: Int64, name: String) {
            self.second = second
            self.offset = offset
            self.name = name
        }
    }

    /// A day on which the clock was set forward or back.
    package struct OddDay: Hashable, Sendable {
        package var date: CivilDate
        /// The number of minutes of the day: 1,380 for a day of 23 hours.
        package var minutes: Int64
    }

    /// The changes in ascending order. The first one also applies to all earlier times.
    private let changes: [Change]

    /// `changes` may have any order. Without changes, the clock is UTC.
    package init(_ changes: [Change]) {
        let sorted = changes.sorted { $0.second < $1.second }
        self.changes = sorted.isEmpty ? [Change(second: 0, offset: 0, name: "UTC")] : sorted
    }

    package static let utc = LocalClock([])

    /// The local time at `moment`.
    package func time(at moment: Timestamp) -> LocalTime {
        let second = moment.wholeSeconds
        return LocalTime(secondsOnClock: second + change(at: second).offset)
    }

    /// The offset from UTC at `moment`, in seconds.
    package func offset(at moment: Timestamp) -> Int64 { change(at: moment.wholeSeconds).offset }

    /// The moment at which the clock shows `time`. If the clock is set back, `time` occurs twice, and the
    /// earlier moment is returned. If the clock skips `time`, the offset before the change applies. `nil`
    /// outside the range of a timestamp.
    package func moment(of time: LocalTime) -> Timestamp? {
        let shown = time.secondsOnClock
        let near = changes.filter { abs($0.second - shown) < 2 * 86_400 }
        let before = change(at: shown - 2 * 86_400)
        let fitting = ([before] + near).map { shown - $0.offset }
            .filter { change(at: $0).offset == shown - $0 }
        return Timestamp(wholeSeconds: fitting.min() ?? shown - before.offset)
    }

    /// The days between two moments that have more or fewer than 24 hours.
    package func oddDays(from start: Timestamp, to end: Timestamp) -> [OddDay] {
        zip(changes, changes.dropFirst()).compactMap { old, new in
            guard new.offset != old.offset, new.second >= start.wholeSeconds,
                new.second < end.wholeSeconds
            else { return nil }
            // The day on which an hour is skipped or repeated. If the clock is set back at midnight, it is
            // the previous day.
            let shown =
                new.offset > old.offset ? new.second + old.offset : new.second - 1 + old.offset
            let date = LocalTime(secondsOnClock: shown).date
            return OddDay(date: date, minutes: 1440 - (new.offset - old.offset) / 60)
        }
    }

    /// Whether the offset from UTC is not a whole number of hours at any time between two moments.
    package func hasPartialHours(from start: Timestamp, to end: Timestamp) -> Bool {
        periods(from: start, to: end).contains { $0.offset % 3600 != 0 }
    }

    /// The name of the local time between two moments, such as `CET/CEST`.
    package func name(from start: Timestamp, to end: Timestamp) -> String {
        periods(from: start, to: end).map(\.name).uniqued.joined(separator: "/")
    }

    /// The time of day to the second, such as `04:35:09`.
    package func timeOfDay(_ moment: Timestamp) -> String {
        let time = time(at: moment)
        return [time.hour, time.minute, time.second].map { ($0 < 10 ? "0" : "") + String($0) }
            .joined(separator: ":")
    }

    /// The moment to the minute, such as `2026-11-21 04:35`.
    package func text(_ moment: Timestamp) -> String { time(at: moment).description }

    /// The changes that apply between two moments. The first one also applies before them.
    package func periods(from start: Timestamp, to end: Timestamp) -> [Change] {
        [change(at: start.wholeSeconds)]
            + changes.dropFirst().filter {
                $0.second > start.wholeSeconds && $0.second < end.wholeSeconds
            }
    }

    /// The interval of `length` seconds of local time that contains a moment. Intervals are counted from
    /// midnight, and a change of the clock ends an interval. The moment and the result are in seconds since
    /// 1970.
    package func interval(of second: Int64, length: Int64) -> Range<Int64> {
        let index = changes.lastIndex { $0.second <= second } ?? 0
        let shown = second + changes[index].offset
        let start = second - (shown - shown.dividedDown(by: length) * length)
        let first = index == 0 ? Int64.min : changes[index].second
        let last = index + 1 < changes.count ? changes[index + 1].second : .max
        return max(start, first)..<min(start + length, last)
    }

    private func change(at second: Int64) -> Change {
        changes.last { $0.second <= second } ?? changes[0]
    }
}

/// A date and a time of day, without a time zone.
package struct LocalTime: Hashable, Sendable, CustomStringConvertible {
    package var date: CivilDate
    /// The hour, from 0 to 23.
    package var hour: Int
    package var minute: Int
    package var second: Int

    /// The beginning of a day.
    package init(date: CivilDate) {
        self.date = date
        (hour, minute, second) = (0, 0, 0)
    }

    /// Reads `YYYY-MM-DD`, alone or with `THH:MM` or `THH:MM:SS`.
    package init?(_ text: String) {
        var scanner = DigitScanner(text.utf8)
        guard let date = scanner.date() else { return nil }
        self.init(date: date)
        if scanner.isAtEnd { return }
        guard scanner.skip("T"), let hour = scanner.digits(2), scanner.skip(":"),
            let minute = scanner.digits(2), let second = scanner.skip(":") ? scanner.digits(2) : 0,
            hour < 24, minute < 60, second < 60, scanner.isAtEnd
        else { return nil }
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The time `seconds` after the clock showed 1970-01-01, 00:00.
    package init(secondsOnClock seconds: Int64) {
        let days = Int(seconds).dividedDown(by: 86_400)
        let rest = Int(seconds) - days * 86_400
        date = CivilDate(daysSinceEpoch: days)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    package var secondsOnClock: Int64 {
        Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The full hours since the clock showed 1970-01-01, 00:00.
    package var hoursOnClock: Int { date.daysSinceEpoch * 24 + hour }

    /// The time to the minute, such as `2026-11-21 04:35`.
    package var description: String {
        "\(date) \(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}

extension Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    package var wholeSeconds: Int64 { nanoseconds.dividedDown(by: 1_000_000_000) }

    /// The start of a second; `nil` outside the range of nanoseconds.
    package init?(wholeSeconds: Int64) {
        let (product, overflow) = wholeSeconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return nil }
        nanoseconds = product
    }

    /// The hour that contains the moment, in hours since 1970-01-01T00:00:00Z.
    package var hoursSinceEpoch: Int { Int(nanoseconds.dividedDown(by: .nanosecondsPerHour)) }

    /// The start of the hour that contains the moment.
    package var startOfHour: Timestamp { Timestamp(hoursSinceEpoch: hoursSinceEpoch) }

    /// The start of an hour, in hours since 1970-01-01T00:00:00Z. An hour out of range becomes the first or
    /// the last possible moment.
    package init(hoursSinceEpoch hours: Int) {
        let (product, overflow) = Int64(hours).multipliedReportingOverflow(by: .nanosecondsPerHour)
        self.init(nanoseconds: overflow ? (hours < 0 ? .min : .max) : product)
    }
}

extension LocalClock {
    /// The system's local time between two moments, according to TZ and the time zone file.
    package static func system(from start: Timestamp, to end: Timestamp) -> LocalClock {
        tzset()
        let day: Int64 = 86_400
        // Additional days at both ends, so that dates there can be converted to moments.
        let first = start.wholeSeconds - 2 * day
        let last = max(first, end.wholeSeconds + 2 * day)
        guard var period = period(at: first) else { return .utc }
        var changes = [Change(second: first, offset: period.offset, name: period.name)]
        var second = first
        while second < last {
            let next = min(second + day, last)
            if let later = Self.period(at: next), later != period {
                let seconds = Int(second + 1)..<Int(next)
                let start = seconds.partitioningIndex { second in
                    Self.period(at: Int64(second)).map { $0 == later } ?? false
                }
                period = later
                changes.append(Change(second: Int64(start), offset: later.offset, name: later.name))
            }
            second = next
        }
        return LocalClock(changes)
    }

    private static func period(at second: Int64) -> (offset: Int64, name: String)? {
        var moment = time_t(second)
        var fields = unsafe tm()
        guard unsafe localtime_r(&moment, &fields) != nil else { return nil }
        let name = unsafe fields.tm_zone.map { unsafe String(cString: $0) }
        return (unsafe Int64(fields.tm_gmtoff), name ?? "local time")
    }
}
