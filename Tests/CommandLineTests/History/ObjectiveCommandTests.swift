import Foundation
import Servers
import Testing

/// Reports on whether an objective was met, from samples files and from stores.
@Suite struct ObjectiveCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String]) async throws -> CommandOutput {
        try await Command.run(arguments, environment: ["TZ": "UTC"], in: folder.path)
    }

    private func report(_ arguments: String...) async throws -> String {
        let run = try await run(["report"] + arguments)
        #expect(run.code == 0 && run.errors == "", "\(arguments): \(run.errors)")
        return run.output
    }

    /// Writes two weeks of rounds, half an hour apart. harbour is slow in the evening, and brook loses
    /// queries.
    private func write() async throws {
        try folder.write(Rounds(start: "2026-03-16T00:00:00Z", count: 672).troubled(), to: "a.csv")
        let run = try await run(["store", "import", "a.csv", "--store", "a.sqlite"])
        #expect(run.code == 0)
    }

    @Test func `a store and its samples give the same result`() async throws {
        try await write()
        // No answer time is within 1 % of 25 ms. Hourly sums have an error of up to 1 %.
        let options = ["--objective", "p95 < 25ms", "--format", "csv"]
        let files = try await run(["report", "a.csv"] + options)
        let sums = try await run(
            ["report", "a.sqlite", "--origin", "import", "--until", "2026-03-30", "--over", "14d"]
                + options
        )
        #expect(files.code == 0 && files.output == sums.output)
        let table = Table(files.output)
        #expect(table.column("name") == ["brook", "harbour", "meadow"])
        #expect(table.column("result") == ["too-close", "missed", "kept"])
        #expect(table.column("queries") == ["1302", "1302", "1302"])
        #expect(table.column("objective").allSatisfy { $0 == "p95 < 25 ms" })
    }

    @Test func `--over sets the length of the window`() async throws {
        try await write()
        let day = try JSON(
            try await report(
                "a.sqlite",
                "--origin",
                "import",
                "--until",
                "2026-03-29",
                "--over",
                "1d",
                "--objective",
                "answered within 30ms >= 99%",
                "--format",
                "json"
            )
        )
        #expect(day["schema"] as? String == "dnstempo.report/1")
        #expect(day["kind"] as? String == "objective")
        #expect(day["since"] as? String == "2026-03-28T00:00:00.000000Z")
        #expect(day["objective"] as? String == "answered within 30 ms >= 99 %")
        let rows = try #require(day["rows"] as? [[String: Any]])
        #expect(rows.map { $0["queries"] as? Int } == [96, 96, 96])
        #expect(rows.map { $0["hours"] as? Int } == [24, 24, 24])
    }

    @Test func `--fail-if accepts a missed objective as a condition`() async throws {
        try await write()
        let options = ["report", "a.csv", "--objective", "p95 < 25ms", "--fail-if"]
        let missed = try await run(options + ["objective-missed"])
        #expect(missed.code == 1)
        #expect(missed.output.hasPrefix("p95 < 25 ms: kept by meadow; missed by harbour; "))
        #expect(
            missed.errors
                == "dnstempo: --fail-if 'objective-missed' holds: harbour missed p95 < 25 ms\n"
        )
        #expect(try await run(options + ["meadow:objective-missed"]).code == 0)
        #expect(try await run(options + ["nobody:objective-missed"]).code == 64)
    }

    @Test func `an HTML page shows its command with the exact window`() async throws {
        try await write()
        _ = try await report(
            "a.sqlite",
            "--origin",
            "import",
            "--until",
            "2026-03-30",
            "--over=7d",
            "--objective",
            "p95 < 25ms",
            "-o",
            "r.html",
            "-o",
            "r.md"
        )
        let page = folder.text("r.html")
        #expect(page.contains("the hours below the target that used up most of the error budget"))
        #expect(page.contains("--since 2026-03-23T00:00:00.000000Z"))
        #expect(!page.contains("--over"))
        #expect(folder.text("r.md").contains("| harbour "))
    }

    @Test func `a report of an empty window succeeds`() async throws {
        try await write()
        let text = try await report(
            "a.sqlite",
            "--until",
            "2020-02-01",
            "--objective",
            "p95 < 25ms"
        )
        #expect(text.hasPrefix("Nothing was measured from 2020-01-25 00:00 to 2020-02-01 00:00."))
    }
}
