/// A day of the Gregorian calendar, in whichever zone.
///
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years begin in March, so
/// that the leap day is the last of its year.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// The day so many days after 1970-01-01 (`civil_from_days`).
    package init(daysSinceEpoch days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        month = march < 10 ? march + 3 : march - 9
        day = dayOfYear - (153 * march + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// `nil` for a date that the calendar does not have.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, (-9999...9999).contains(year) else { return nil }
        let date = CivilDate(
            daysSinceEpoch: Self.days(year: year, month: month, day: min(day, 32))
        )
        // The 31st of a shorter month would come back as a day of the next.
        guard date.month == month, date.day == day else { return nil }
        self = date
    }

    /// Days after 1970-01-01, or before it where negative.
    package var daysSinceEpoch: Int { Self.days(year: year, month: month, day: day) }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    package var weekday: Int { ((daysSinceEpoch + 3) % 7 + 7) % 7 + 1 }

    /// Such as `2026-11-21`.
    package var description: String {
        var text: [UInt8] = []
        text.append(padded: max(0, year), to: 4)
        text.append(UInt8(ascii: "-"))
        text.append(padded: month, to: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: day, to: 2)
        return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `days_from_civil`.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
