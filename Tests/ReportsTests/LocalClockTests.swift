import Catalogue
import Foundation
import Reports
import Samples
import Testing

/// Tests of the local clock. They run one after the other, because the whole process shares TZ.
@Suite(.serialized)
struct LocalClockTests {
    /// The local clock of the system for 2026 in `zone`.
    private func clock(_ zone: String) throws -> LocalClock {
        let before = ProcessInfo.processInfo.environment["TZ"]
        unsafe setenv("TZ", zone, 1)
        defer {
            if let before { unsafe setenv("TZ", before, 1) } else { unsafe unsetenv("TZ") }
            tzset()
        }
        return LocalClock.system(
            from: try moment("2026-01-01T00:00:00Z"),
            to: try moment("2026-12-31T00:00:00Z")
        )
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    @Test(arguments: [
        ("Europe/Berlin", "2026-01-15T23:30:00Z", "2026-01-16 00:30"),
        ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29 01:59"),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00"),
        ("Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30"),
        ("Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30"),
        ("Asia/Kolkata", "2026-06-01T18:30:00Z", "2026-06-02 00:00"),
        ("Australia/Lord_Howe", "2026-04-04T15:00:00Z", "2026-04-05 01:30"),
        ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", "2026-01-01 11:00"),
        ("America/St_Johns", "2026-07-01T02:29:00Z", "2026-06-30 23:59"),
        ("UTC", "2026-06-01T18:30:00Z", "2026-06-01 18:30"),
    ])
    func `the clock shows the local time`(zone: String, utc: String, local: String) throws {
        #expect(try clock(zone).text(try moment(utc)) == local)
    }

    @Test(arguments: [
        ("Europe/Berlin", ["2026-03-29 1380", "2026-10-25 1500"]),
        ("Australia/Lord_Howe", ["2026-04-05 1470", "2026-10-04 1410"]),
        ("Africa/Cairo", ["2026-04-24 1380", "2026-10-29 1500"]), ("Asia/Kolkata", []),
    ])
    func `days of a clock change have a different length`(zone: String, days: [String]) throws {
        let odd = try clock(zone).oddDays(
            from: try moment("2026-01-01T00:00:00Z"),
            to: try moment("2026-12-31T00:00:00Z")
        )
        #expect(odd.map { "\($0.date) \($0.minutes)" } == days)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-05-01", "2026-04-30T22:00:00Z"),
        ("Europe/Berlin", "2026-05-01T14:30", "2026-05-01T12:30:00Z"),
        ("Europe/Berlin", "2026-05-01T14:30:15", "2026-05-01T12:30:15Z"),
        // The clock skips the first of these times, and shows the second one twice.
        ("Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00Z"),
        ("Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"),
        ("Asia/Kolkata", "2026-05-01", "2026-04-30T18:30:00Z"),
        // The clock skips midnight, so the day begins at 01:00.
        ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
        ("Asia/Kolkata", "2026-05-01T14:30:00Z", "2026-05-01T14:30:00Z"),
        ("Asia/Kolkata", "2026-05-01T14:30:00-05:00", "2026-05-01T19:30:00Z"),
        ("UTC", "7d", "2026-06-24T12:00:00Z"), ("UTC", "36h", "2026-06-30T00:00:00Z"),
        ("UTC", "now", "2026-07-01T12:00:00Z"),
        ("Asia/Kolkata", "2026-05-01T14:30Z", "2026-05-01T14:30:00Z"),
        ("Asia/Kolkata", "2026-05-01T16:30+02:00", "2026-05-01T14:30:00Z"),
        ("UTC", "1w", "2026-06-24T12:00:00Z"), ("UTC", "2mo", "2026-05-01T12:00:00Z"),
        ("UTC", "18mo", "2025-01-01T12:00:00Z"), ("UTC", "1y", "2025-07-01T12:00:00Z"),
        ("UTC", "4m", "2026-07-01T11:56:00Z"),
        // Six months earlier, in winter, the clock shows the same time.
        ("Europe/Berlin", "6mo", "2026-01-01T13:00:00Z"),
    ])
    func `a text is read as a time on the local clock`(zone: String, text: String, utc: String)
        throws
    {
        let parsed = try MomentText.parse(
            text,
            option: "--since",
            now: try moment("2026-07-01T12:00:00Z"),
            clock: try clock(zone)
        )
        #expect(parsed == (try moment(utc)))
    }

    @Test(arguments: [
        ("2026-03-31T12:00:00Z", "1mo", "2026-02-28T12:00:00Z"),
        ("2024-03-31T12:00:00Z", "1mo", "2024-02-29T12:00:00Z"),
        ("2024-02-29T12:00:00Z", "1y", "2023-02-28T12:00:00Z"),
        ("2026-01-31T12:00:00Z", "2mo", "2025-11-30T12:00:00Z"),
    ])
    func `a missing day becomes the last day`(now: String, text: String, utc: String) throws {
        let parsed = try MomentText.parse(
            text,
            option: "--since",
            now: try moment(now),
            clock: .utc
        )
        #expect(parsed == (try moment(utc)))
    }

    @Test func `a number of up to 24 with the unit m may mean months`() {
        #expect(["4m", "1m", "24m"].map(MomentText.possibleMonths) == [4, 1, 24])
        let others = ["0m", "25m", "4", "4mo", "4h", "1.5m", "m", "99999m", ""]
        #expect(others.allSatisfy { MomentText.possibleMonths($0) == nil })
    }

    @Test(arguments: [
        "", "7", "yesterday", "2026-13-01", "2026-02-30", "2026-05-01T24:00", "2026-05-01T14",
        "2026-05-01T", "01.05.2026", "2026-5-1", "-7d", "9999999999d", "2026-05-01T14:30+2:00",
        "2026-05-01T14Z", "2026-05-01T14:30.5Z", "9999-01-01", "\u{1B}[2J", "1.5mo", "9999y",
        "99999w", "-1mo", "mo", "2M", "2mon",
    ])
    func `an invalid time is rejected in one line`(text: String) throws {
        let now = try moment("2026-07-01T12:00:00Z")
        let error = #expect(throws: CatalogueError.self) {
            try MomentText.parse(text, option: "--until", now: now, clock: .utc)
        }
        let line = try #require(error).description
        #expect(line.hasPrefix("--until: '") && line.contains("write 7d"))
        #expect(!line.contains("\n") && !line.contains("\u{1B}"))
    }

    @Test func `an empty window is rejected`() throws {
        let now = try moment("2026-07-01T12:00:00Z")
        func window(_ since: String, _ until: String) throws -> Range<Timestamp> {
            try WindowContext(since: since, until: until, now: now, toolVersion: "1").window
        }
        #expect(try window("1d", "now") == now.advanced(by: .seconds(-86_400))..<now)
        #expect(throws: CatalogueError.self) { try window("now", "now") }
        #expect(throws: CatalogueError.self) { try window("1d", "7d") }
    }

    @Test func `half-hour offsets are recognised, and zones are named`() throws {
        let window = (try moment("2026-06-01T00:00:00Z"), try moment("2026-06-02T00:00:00Z"))
        #expect(try clock("Asia/Kolkata").hasPartialHours(from: window.0, to: window.1))
        #expect(try !clock("Europe/Berlin").hasPartialHours(from: window.0, to: window.1))
        #expect(try clock("Europe/Berlin").name(from: window.0, to: window.1) == "CEST")
        let year = (try moment("2026-01-02T00:00:00Z"), try moment("2026-12-30T00:00:00Z"))
        #expect(try clock("Europe/Berlin").name(from: year.0, to: year.1) == "CET/CEST")
    }
}
