package import Catalogue
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
        if let duration = try? DurationText.parse(text) {
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
