import Foundation
import Servers
import Testing

/// Reports that depend on the reader's time zone, and changes over time.
@Suite struct ReportTimeTests {
    private let folder = TemporaryFolder()

    private func report(_ arguments: String, zone: String = "UTC") async throws -> String {
        let run = try await Binary.run(
            ["report"] + arguments.split(separator: " ").map(String.init),
            environment: ["TZ": zone],
            in: folder.path
        )
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        return run.output
    }

    // MARK: - Time zones

    /// `queries` is the expected number of queries per resolver on `day`, at four queries per hour.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29", 92, "2026-03-29 has 23 hours", "CET/CEST"),
        ("Europe/Berlin", "2026-10-25", 100, "2026-10-25 has 25 hours", "CEST/CET"),
        ("America/St_Johns", "2026-03-08", 92, "2026-03-08 has 23 hours", "NST/NDT"),
        ("America/St_Johns", "2026-11-01", 100, "2026-11-01 has 25 hours", "NDT/NST"),
        ("Asia/Kolkata", "2026-03-29", 96, nil, "IST"),
    ])
    func `a day has the hours of the reader's time zone`(
        zone: String,
        day: String,
        queries: Int,
        note: String?,
        name: String
    ) async throws {
        let midnight = try Date("\(day)T00:00:00Z", strategy: .iso8601)
        let start = midnight.addingTimeInterval(-2 * 86_400).formatted(.iso8601)
        try folder.write(
            try Rounds(start: start, count: 240).file { _ in .answer(12) },
            to: "a.csv"
        )
        let table = Table(try await report("a.csv --by day --format csv", zone: zone))
        let rows = table.rows.filter { table[$0, "day"] == day }
        #expect(rows.map { table[$0, "sent"] } == ["\(queries)", "\(queries)", "\(queries)"])
        let text = try await report("a.csv --by day", zone: zone)
        #expect(text.contains("(\(name)) from desk."))
        #expect(text.contains("The local clock changes: ") == (note != nil))
        if let note { #expect(text.contains("The local clock changes: \(note).")) }
    }

    /// The resolvers are slow from 18:00 to 24:00 UTC.
    @Test(arguments: [
        ("UTC", "18:00", "17:00"), ("Asia/Kolkata", "00:00", "23:00"),
        ("America/St_Johns", "16:00", "15:00"), ("Europe/Berlin", "19:00", "18:00"),
    ])
    func `hours use the reader's time zone`(zone: String, slow: String, fast: String) async throws {
        try folder.write(
            try Rounds(start: "2026-03-16T00:00:00Z", count: 336).file {
                .answer($0.round % 48 >= 36 ? 30 : 10)
            },
            to: "a.csv"
        )
        let table = Table(
            try await report("a.csv --by hour --resolver meadow --format csv", zone: zone)
        )
        #expect(table.rows.count == 24)
        func median(_ hour: String) -> String? {
            table.rows.first { table[$0, "hour"] == hour }.map { table[$0, "median_ms"] }
        }
        #expect(median(slow) == "30.0" || median(slow) == "30.000")
        #expect(median(fast) == "10.0" || median(fast) == "10.000")
    }

    @Test func `a report notes hourly sums in a time zone with half hours`() async throws {
        try folder.write(
            try Rounds(start: "2026-03-01T00:00:00Z", count: 700).troubled(),
            to: "a.csv"
        )
        _ = try await Binary.run(
            ["store", "import", "a.csv", "--store", "a.sqlite"],
            in: folder.path
        )
        let window = "a.sqlite --origin import --since 2026-03-01 --until 2026-03-12 --by hour"
        let note = "Hourly sums are of UTC hours"
        #expect(try await report(window, zone: "Asia/Kolkata").contains(note))
        #expect(try await report("\(window) --exact", zone: "Asia/Kolkata").contains(note) == false)
        #expect(try await report(window, zone: "Europe/Berlin").contains(note) == false)
    }

    @Test func `a date in an option is in the reader's time zone`() async throws {
        try folder.write(
            try Rounds(start: "2026-03-16T00:00:00Z", count: 336).file { _ in .answer(12) },
            to: "a.csv"
        )
        for (zone, first) in [
            ("Asia/Kolkata", "2026-03-17T18:30:00.000000Z"),
            ("America/St_Johns", "2026-03-18T02:30:00.000000Z"),
            ("Europe/Berlin", "2026-03-17T23:00:00.000000Z"),
        ] {
            let json = try JSON(
                try await report(
                    "a.csv --since 2026-03-18 --until 2026-03-19 --format json",
                    zone: zone
                )
            )
            #expect(json["since"] as? String == first)
            #expect(json["samples_since"] as? String == first)
            #expect(json["rounds"] as? Int == 48)
        }
    }

    // MARK: - Changes

    /// Writes thirty days of rounds. meadow is 5 ms slower from 16 April, 12:00 UTC on. brook loses queries
    /// from 22 April on.
    private func changing() async throws {
        let rounds = Rounds(start: "2026-04-01T00:00:00Z", count: 30 * 48)
        try folder.write(
            try rounds.changed(slower: 15 * 48 + 24, by: 5, lossy: 21 * 48),
            to: "a.csv"
        )
        try await Binary.succeed(
            ["store", "import", "a.csv", "--store", "a.sqlite"],
            in: folder.path
        )
    }

    @Test(arguments: ["a.csv", "a.sqlite --origin import --since 2026-04-10 --until 2026-05-01"])
    func `a change is reported with its time and size`(source: String) async throws {
        try await changing()
        let json = try JSON(try await report("\(source) --changes --format json"))
        let changes = try #require(json["changes"] as? [[String: Any]])
        try #require(changes.map { $0["name"] as? String } == ["meadow", "brook"])
        #expect(changes.map { $0["change"] as? String } == ["slower", "less-reliable"])
        #expect(changes[0]["since"] as? String == "2026-04-16T12:00:00.000000Z")
        let size = try #require(changes[0]["change_ms"] as? Double)
        #expect(abs(size - 5) < 0.3)
        let established = try Date(
            try #require(changes[0]["established"] as? String).prefix(19) + "Z",
            strategy: .iso8601
        )
        let began = try Date("2026-04-16T12:00:00Z", strategy: .iso8601)
        #expect((0...48).contains(established.timeIntervalSince(began) / 3600))
        #expect(json["unchanged"] as? [String] == ["harbour"])
        let text = try await report("\(source) --changes", zone: "Europe/Berlin")
        #expect(text.contains("\n- meadow: 5.0 ms slower since 2026-04-16 14:00 ("))
    }

    @Test func `a change before the window is not reported again`() async throws {
        try await changing()
        let window = "a.sqlite --origin import --since 2026-04-20 --until 2026-04-27 --changes"
        let json = try JSON(try await report("\(window) --format json"))
        let changes = try #require(json["changes"] as? [[String: Any]])
        #expect(changes.map { $0["name"] as? String } == ["brook"])
        #expect(json["unchanged"] as? [String] == ["harbour", "meadow"])
        #expect(json["not_judged"] as? [String] == [])
        #expect(json["rounds"] as? Int == 7 * 48)
        #expect(json["since"] as? String == "2026-04-20T00:00:00.000000Z")
    }

    @Test func `two weeks are compared with each other`() async throws {
        try await changing()
        let until = "a.sqlite --origin import --until 2026-04-23T12:00"
        let table = Table(try await report("\(until) --against 7d --format csv"))
        #expect(table.column("name") == ["brook", "harbour", "meadow"])
        let differences = table.column("difference_ms").compactMap(Double.init)
        try #require(differences.count == 3)
        #expect(abs(differences[0]) < 0.5 && abs(differences[1]) < 0.5)
        #expect(abs(differences[2] - 5) < 0.3)
        #expect(table.column("pairs") == ["168", "168", "168"])
        let text = try await report("\(until) --against 7d")
        #expect(text.contains("- meadow: median 17.5 ms vs 12.5 ms before"))
        #expect(
            text.replacing("\n", with: " ").contains(
                "2026-04-16 12:00 to 2026-04-23 12:00 vs 2026-04-09 12:00 to 2026-04-16 12:00"
            )
        )
    }
}
