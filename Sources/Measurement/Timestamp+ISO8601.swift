extension Timestamp: CustomStringConvertible {
    /// Such as `2026-11-21T03:35:12.123456Z`: microseconds, or nanoseconds where it has some.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds ``description`` to `text` as UTF-8.
    func append(to text: inout [UInt8]) {
        let time = split()
        let day = CivilDate(daysSinceEpoch: time.days)
        text.append(padded: day.year, to: 4)
        text.append(UInt8(ascii: "-"))
        text.append(padded: day.month, to: 2)
        text.append(UInt8(ascii: "-"))
        text.append(padded: day.day, to: 2)
        text.append(UInt8(ascii: "T"))
        text.append(padded: time.seconds / 3600, to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: time.seconds / 60 % 60, to: 2)
        text.append(UInt8(ascii: ":"))
        text.append(padded: time.seconds % 60, to: 2)
        text.append(UInt8(ascii: "."))
        let micro = time.nanoseconds % 1000 == 0
        text.append(padded: micro ? time.nanoseconds / 1000 : time.nanoseconds, to: micro ? 6 : 9)
        text.append(UInt8(ascii: "Z"))
    }

    /// The second as `20261121T033512Z`, which may stand in a file's name.
    package var compact: String {
        let time = split()
        let day = CivilDate(daysSinceEpoch: time.days)
        var text: [UInt8] = []
        text.append(padded: (day.year * 100 + day.month) * 100 + day.day, to: 8)
        text.append(UInt8(ascii: "T"))
        let (hour, minute, second) = (
            time.seconds / 3600, time.seconds / 60 % 60, time.seconds % 60
        )
        text.append(padded: (hour * 100 + minute) * 100 + second, to: 6)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads ISO 8601 with date and time: `2026-11-21T03:35:12Z`, with up to nine digits after the
    /// second and `Z` or an offset such as `+01:00`. `nil` for all else, for days that the calendar
    /// does not have, and outside the years that nanoseconds can tell.
    package init?(_ text: some StringProtocol) { self.init(utf8: text.utf8) }

    /// As ``init(_:)``, from the text's UTF-8.
    init?(utf8 text: some Sequence<UInt8>) {
        var scanner = DigitScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2),
            scanner.skip("-"), let day = scanner.digits(2), scanner.skip("T") || scanner.skip("t"),
            let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
            scanner.skip(":"), let second = scanner.digits(2),
            hour < 24, minute < 60, second < 60,
            let date = CivilDate(year: year, month: month, day: day),
            let fraction = scanner.skip(".") ? scanner.fraction() : 0,
            let offset = scanner.offset(), scanner.isAtEnd
        else { return nil }
        let seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second - offset
        let total = Int128(seconds) * 1_000_000_000 + Int128(fraction)
        guard let nanoseconds = Int64(exactly: total) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// Days since 1970-01-01, second of the day, and nanosecond of the second.
    private func split() -> (days: Int, seconds: Int, nanoseconds: Int) {
        let fraction = Int(nanoseconds % 1_000_000_000)
        let borrow = fraction < 0
        let seconds = Int(nanoseconds / 1_000_000_000) - (borrow ? 1 : 0)
        let second = (seconds % 86_400 + 86_400) % 86_400
        return ((seconds - second) / 86_400, second, fraction + (borrow ? 1_000_000_000 : 0))
    }
}
