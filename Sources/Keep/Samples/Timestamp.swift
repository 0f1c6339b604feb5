import Catalogue
import Statistics

/// A moment in UTC with a resolution of one nanosecond, like the kernel's stamps.
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Nanoseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX time). The range is 1677 to 2262.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The moment `duration` later. Beyond the range, it is the last or the first possible moment.
    package func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
        guard overflow else { return Timestamp(nanoseconds: sum) }
        return Timestamp(nanoseconds: duration < .zero ? .min : .max)
    }

    /// The time from `other` to this moment.
    package func since(_ other: Timestamp) -> Duration {
        .nanoseconds(nanoseconds) - .nanoseconds(other.nanoseconds)
    }
}

extension Timestamp: CustomStringConvertible {
    /// The text of the moment, such as `2026-11-21T03:35:12.123456Z`. It has microseconds, or nanoseconds if
    /// necessary.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds ``description`` to `text` as UTF-8.
    func append(to text: inout [UInt8]) {
        let time = LocalTime(secondsOnClock: wholeSeconds)
        let fraction = Int(nanoseconds &- wholeSeconds &* 1_000_000_000)
        time.date.append(to: &text)
        text.append(UInt8(ascii: "T"))
        text.append(padded: time.hour, to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: time.minute, to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: time.second, to: 2)
        text.append(UInt8(ascii: "."))
        let micro = fraction % 1000 == 0
        text.append(padded: micro ? fraction / 1000 : fraction, to: micro ? 6 : 9)
        text.append(UInt8(ascii: "Z"))
    }

    /// The second in the form `20261121T033512Z`, which is safe in file names.
    package var compact: String {
        description.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// Reads ISO 8601 with date and time: `2026-11-21T03:35:12Z` or `2026-11-21T03:35Z`. The second may have
    /// up to nine decimals. The zone is `Z` or an offset such as `+01:00`. `nil` for any other text, for days
    /// that do not exist, and outside the range of nanoseconds.
    package init?(_ text: some StringProtocol) { self.init(utf8: text.utf8) }

    /// Reads the UTF-8 of a text in the same way as ``init(_:)``.
    init?(utf8 text: some Sequence<UInt8>) {
        var scanner = DigitScanner(text)
        guard let date = scanner.date(), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
            let (second, fraction) = scanner.seconds(), hour < 24, minute < 60, second < 60,
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
        let total = Int128(seconds) * 1_000_000_000 + Int128(fraction)
        guard let nanoseconds = Int64(exactly: total) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

/// Reads the text of a time byte by byte.
struct DigitScanner<Text: Sequence<UInt8>> {
    private var rest: Text.Iterator
    private var next: UInt8?

    init(_ text: Text) {
        rest = text.makeIterator()
        next = rest.next()
    }

    var isAtEnd: Bool { next == nil }

    /// Skips `character` if it is the next one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let byte = next, UInt32(byte) == character.value else { return false }
        next = rest.next()
        return true
    }

    /// Reads exactly `count` digits; `nil` if there are fewer.
    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads a day that exists in the calendar, such as `2026-11-21`.
    mutating func date() -> CivilDate? {
        guard let year = digits(4), skip("-"), let month = digits(2), skip("-"),
            let day = digits(2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Reads the seconds after a minute, such as `:12.5`, and their fraction in billionths. Both are 0 if
    /// there is no colon.
    mutating func seconds() -> (second: Int, fraction: Int)? {
        guard skip(":") else { return (0, 0) }
        guard let second = digits(2), let part = skip(".") ? fraction() : 0 else { return nil }
        return (second, part)
    }

    /// Reads one to nine digits after the point, in billionths.
    private mutating func fraction() -> Int? {
        guard var value = digit() else { return nil }
        for _ in 1..<9 { value = value * 10 + (digit() ?? 0) }
        return value
    }

    /// Reads `Z`, or an offset from UTC such as `-05:30`, in seconds.
    mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let east = skip("+")
        guard east || skip("-"), let hours = digits(2), skip(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 3600 + minutes * 60) * (east ? 1 : -1)
    }

    private mutating func digit() -> Int? {
        guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
            return nil
        }
        next = rest.next()
        return Int(byte - UInt8(ascii: "0"))
    }
}

extension Duration {
    /// The duration in milliseconds.
    package var milliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
    }

    /// The duration in seconds, rounded to a Double.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

/// A day of the Gregorian calendar, without a time zone.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Its years begin in March, so that
/// the leap day is the last day of a year.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let year: Int
    /// The month, from 1 to 12.
    package let month: Int
    /// The day, from 1 to 31.
    package let day: Int

    /// The day that is `days` days after 1970-01-01 (`civil_from_days`).
    package init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        day = dayOfYear - (153 * march + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Returns `nil` for a date that does not exist in the calendar.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, (-9999...9999).contains(year) else { return nil }
        let date = CivilDate(daysSinceEpoch: Self.days(year: year, month: month, day: min(day, 32)))
        // The 31st of a shorter month would become a day of the next month.
        guard date.month == month, date.day == day else { return nil }
        self = date
    }

    /// The number of days after 1970-01-01; negative for earlier days.
    package var daysSinceEpoch: Int { Self.days(year: year, month: month, day: day) }

    /// The weekday, from 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int { (daysSinceEpoch + 3).rest(by: 7) + 1 }

    /// The date in the form `2026-11-21`.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds ``description`` to `text` as UTF-8.
    func append(to text: inout [UInt8]) {
        text.append(padded: max(0, year), to: 4)
        text.append(UInt8(ascii: "-"))
        text.append(padded: month, to: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: day, to: 2)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The days since 1970-01-01 (`days_from_civil`).
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.dividedDown(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension ClosedRange {
    /// The range from the earlier beginning to the later end.
    package func union(_ other: Self) -> Self {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}

extension Collection<Timestamp> {
    /// The median time between successive moments in seconds; `nil` for fewer than two.
    package var usualGap: Double? {
        zip(dropFirst(), self).map { $0.since($1) / .seconds(1) }.median
    }
}
