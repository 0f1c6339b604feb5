import Fixtures
import Foundation
import Servers
import Testing

/// Reports on measurements from samples files and from stores.
@Suite struct ReportCommandTests {
    private let folder = TemporaryFolder()

    private func run(
        _ arguments: [String],
        zone: String = "UTC",
        home: String? = nil
    ) async throws -> CommandOutput {
        var environment = ["TZ": zone]
        environment["XDG_DATA_HOME"] = home
        return try await Binary.run(arguments, environment: environment, in: folder.path)
    }

    /// Runs a report, expects success without errors, and returns its output.
    private func report(_ arguments: String, zone: String = "UTC") async throws -> String {
        let run = try await run(
            ["report"] + arguments.split(separator: " ").map(String.init),
            zone: zone
        )
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        return run.output
    }

    /// Writes a samples file, and imports it into a store.
    private func store(_ text: String, as name: String) async throws {
        try folder.write(text, to: "\(name).csv")
        let run = try await run(["store", "import", "\(name).csv", "--store", "\(name).sqlite"])
        #expect(run.code == 0 && run.errors == "")
    }

    // MARK: - Formats

    @Test(arguments: [
        ("table", "resolver", "txt"), ("csv", "resolver", "csv"), ("json", "resolver", "json"),
        ("markdown", "weekday", "md"), ("table", "hour", "hour.txt"), ("csv", "day", "day.csv"),
    ])
    func `the report of a week matches the golden files`(
        format: String,
        grouping: String,
        suffix: String
    ) async throws {
        try await store(Rounds(start: "2026-03-22T23:00:00Z", count: 334).troubled(), as: "a")
        let text = try await report(
            "a.sqlite --origin import --since 2026-03-23 --until 2026-03-30 --by \(grouping) "
                + "--format \(format)",
            zone: "Europe/Berlin"
        )
        let version = try await run(["--version"]).output.dropLast()
        try Golden.expect(text.replacing(version, with: "VERSION"), in: "report.\(suffix)")
    }

    @Test func `files are written in the format of their suffix`() async throws {
        try folder.write(
            try Rounds(start: "2026-03-23T00:00:00Z", count: 48).troubled(),
            to: "a.csv"
        )
        let names = ["r.txt", "r.csv", "r.json", "r.md"]
        let output = names.flatMap { ["-o", $0] }.joined(separator: " ")
        let shown = try await report("a.csv --format csv \(output)")
        #expect(folder.text("r.csv") == shown)
        #expect(try JSON(folder.text("r.json"))["schema"] as? String == "dnstempo.report/1")
        #expect(folder.text("r.md").hasPrefix("**meadow was fastest: median "))
        #expect(folder.text("r.txt").hasPrefix("meadow was fastest: median "))
    }

    // MARK: - Sources

    @Test func `a store gives the same report as its samples`() async throws {
        try await store(Rounds(start: "2026-03-16T00:00:00Z", count: 700).troubled(), as: "a")
        let window = "--since 2026-03-16 --until 2026-03-31"
        for grouping in [
            "resolver", "hour", "weekday", "day", "name", "transport", "vantage", "site",
        ] {
            let by = "\(window) --by \(grouping) --format csv"
            let samples = try await report("a.csv \(by)")
            #expect(try await report("a.sqlite --origin import --exact \(by)") == samples)
            let (exact, summed) = (
                Table(samples), Table(try await report("a.sqlite --origin import \(by)"))
            )
            try #require(exact.rows.count == summed.rows.count)
            #expect(exact.column("sent").contains { $0 != "0" })
            for (left, right) in zip(exact.rows, summed.rows) {
                for column in ["sent", "answered", "timeouts", "offline", "min_ms", "max_ms"] {
                    #expect(exact[left, column] == summed[right, column])
                }
                // For few samples, an exact quantile is interpolated between two samples. The quantile of a
                // sketch is near one of these samples.
                guard grouping == "resolver" else { continue }
                for column in ["median_ms", "p90_ms"] {
                    let (value, near) = (exact[left, column], summed[right, column])
                    let (number, other) = (try #require(Double(value)), Double(near))
                    #expect(abs(try #require(other) - number) <= 0.011 * number)
                }
            }
        }
    }

    @Test func `a report names its sources`() async throws {
        try await store(Rounds(start: "2026-03-16T00:00:00Z", count: 700).troubled(), as: "a")
        let long = "a.sqlite --origin import --since 2026-03-16T00:20 --until 2026-03-30"
        let summed = try await report(long).replacing("\n", with: " ")
        #expect(summed.contains("From hourly sums since 2026-03-16 01:00"))
        #expect(summed.contains("and from samples since 2026-03-16 00:30"))
        let exact = try await report("\(long) --exact")
        #expect(exact.contains("From samples since 2026-03-16 00:30, "))
        let week = try await report(
            "a.sqlite --origin import --since 2026-03-20 --until 2026-03-27"
        )
        #expect(week.contains("From samples since 2026-03-20 00:00, "))
    }

    @Test func `several stores are read as one, and shared rounds count once`() async throws {
        let start = "2026-03-16T00:00:00Z"
        try await store(Rounds(start: start, count: 300).troubled(), as: "home")
        try await store(
            Rounds(start: start, count: 200, run: "o", vantage: "office").file { _ in .answer(30) },
            as: "office"
        )
        let options = "--origin import --since 2026-03-16 --until 2026-03-30 --format csv"
        let both = try await report("home.sqlite office.sqlite home.sqlite --by vantage \(options)")
        let table = Table(both)
        #expect(table.column("vantage") == ["desk", "desk", "desk", "office", "office", "office"])
        #expect(table.column("sent").suffix(3) == ["400", "400", "400"])
        let alone = Table(try await report("home.sqlite --by vantage \(options)"))
        #expect(Array(table.rows.prefix(3)) == alone.rows)
        #expect(try await report("home.csv office.csv home.csv --by vantage --format csv") != "")
        let files = Table(
            try await report("home.csv office.csv home.csv --by vantage --format csv")
        )
        #expect(files.column("sent") == table.column("sent"))
    }

    @Test func `files with parts of the same rounds are combined`() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 150)
        func write(_ name: String, _ isThere: (Rounds.Query) -> Bool) throws {
            let text = try rounds.file { query in
                isThere(query) ? .answer([12.0, 20, 16][query.resolver] + query.noise) : nil
            }
            try folder.write(text, to: "\(name).csv")
        }
        try write("whole") { _ in true }
        try write("meadow") { $0.resolver == 0 }
        try write("others") { $0.resolver > 0 }
        try write("first") { $0.round < 100 }
        try write("last") { $0.round >= 50 }
        let whole = try await report("whole.csv --format json")
        #expect(try JSON(whole)["rounds"] as? Int == 150)
        for parts in ["meadow.csv others.csv", "first.csv last.csv", "whole.csv others.csv"] {
            #expect(try await report("\(parts) --format json") == whole, "\(parts)")
        }
    }

    @Test func `a report by name covers only the kept samples`() async throws {
        // Pruning removes samples by age, so the rounds must end now.
        let hour = Date(
            timeIntervalSince1970: (Date().timeIntervalSince1970 / 3600).rounded() * 3600
        )
        let start = hour.addingTimeInterval(-20 * 86_400).formatted(.iso8601)
        try await store(Rounds(start: start, count: 480).file { _ in .answer(12) }, as: "a")
        let prune = try await run(["store", "prune", "--older-than", "15d", "--store", "a.sqlite"])
        #expect(prune.code == 0)
        let window = "a.sqlite --origin import --since 30d"
        let names = try await report("\(window) --by name --format json")
        #expect(names.contains("\"code\": \"pruned\""))
        let note = "Only samples have names and sites, and they are kept since "
        #expect(names.contains(note))
        let one = try await report("\(window) --name example.com --format json")
        #expect(one.contains(note))
        let capitals = try await report("\(window) --name EXAMPLE.com --format json")
        let counts = try [one, capitals].map { text in
            let rows = try JSON(text)["rows"] as? [[String: Any]]
            return rows?.compactMap { $0["sent"] as? Int }
        }
        #expect(counts[0] == counts[1] && counts[0]?.isEmpty == false)
        let summed = try JSON(try await report("\(window) --format json"))
        let rows = try #require(summed["rows"] as? [[String: Any]])
        #expect(rows.compactMap { $0["sent"] as? Int } == [960, 960, 960])
        let rest = try #require(try JSON(names)["rows"] as? [[String: Any]])
        let sent = rest.compactMap { $0["sent"] as? Int }
        #expect(sent.count == 6 && sent.allSatisfy { (230...245).contains($0) })
    }

    @Test func `a report can select one resolver`() async throws {
        try await store(Rounds(start: "2026-03-16T00:00:00Z", count: 100).troubled(), as: "a")
        for file in ["a.csv", "a.sqlite --origin import --since 2026-03-16"] {
            let table = Table(
                try await report("\(file) --resolver brook --resolver meadow --format csv")
            )
            #expect(table.column("name") == ["meadow", "brook"])
        }
    }

    @Test func `imported rounds are excluded if the store has sampled rounds`() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 40)
        try await store(try rounds.troubled(), as: "a")
        let window = "a.sqlite --since 2026-03-16 --until 2026-03-18 --format csv"
        #expect(try await report(window) == report("\(window) --origin all"))
        // Adds the column `origin`, which `--samples` and `export` write.
        let sampled = try rounds.troubled().split(separator: "\n").enumerated()
            .map { $1 + ($0 == 0 ? ",origin" : ",sample") }.joined(separator: "\n")
        try folder.write(sampled.replacing("\nr,", with: "\nlater,") + "\n", to: "b.csv")
        _ = try await run(["store", "import", "b.csv", "--store", "a.sqlite"])
        let table = Table(try await report(window))
        #expect(table.column("sent") == ["80", "80", "80"])
        let note =
            "The store has rounds of samples files from 2026-03-16 00:00 to 2026-03-16 19:30. These "
            + "rounds are excluded. Include them with --origin all."
        let text = try await report("a.sqlite --since 2026-03-16 --until 2026-03-18")
        #expect(text.split { $0.isWhitespace }.joined(separator: " ").contains(note))
        let whole = try await report("a.sqlite --since 2026-03-16 --until 2026-03-18 --origin all")
        #expect(!whole.contains("Include them"))
    }

    // MARK: - Empty reports

    @Test func `a report without a store explains how to sample`() async throws {
        let run = try await run(["report"], home: folder.path)
        #expect(run.code == 66)
        #expect(
            run.errors
                == "dnstempo: there is no store "
                + "'\(folder.path)/dnstempo/dnstempo.sqlite' yet: begin with 'dnstempo schedule "
                + "install --every 5m', or name a store with --store\n"
        )
    }

    @Test func `a report of an empty window names the available rounds`() async throws {
        try await store(Rounds(start: "2026-03-16T00:00:00Z", count: 100).troubled(), as: "a")
        let csv = try await report(
            "a.sqlite --origin import --since 2020-01-01 --until 2020-02-01 --format csv"
        )
        #expect(csv.hasPrefix("resolver,name,endpoint,") && csv.split(separator: "\n").count == 1)
        let empty = "a.sqlite --since 2020-01-01 --until 2020-02-01 --origin sample"
        let text = try await report(empty).replacing("\n", with: " ")
        #expect(
            text.contains(
                "Nothing was measured from 2020-01-01 00:00 to 2020-02-01 00:00. There are rounds "
                    + "of import from 2026-03-16 00:00 to 2026-03-18 01:30: write --origin import "
                    + "--since 2026-03-16 --until now."
            )
        )
        for report in ["--changes", "--against 7d"] {
            let text = try await self.report("a.csv --until 2020-02-01 \(report)")
            #expect(text.hasPrefix("Nothing was measured from 2020-01-"))
        }
    }
}
