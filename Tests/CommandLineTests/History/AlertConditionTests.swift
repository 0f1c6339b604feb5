import Foundation
import Servers
import Testing

/// Conditions of `report --fail-if` for alerts from cron.
@Suite struct AlertConditionTests {
    let folder = TemporaryFolder()

    /// Writes a store with a day of rounds, half an hour apart, until 2026-03-16 23:30.
    private func write() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 48)
        try folder.write(try rounds.file { _ in .answer(20) }, to: "a.csv")
        let run = try await run(["store", "import", "a.csv", "--store", "a.sqlite"])
        #expect(run.code == 0)
    }

    func run(_ arguments: [String]) async throws -> CommandOutput {
        try await Command.run(arguments, environment: ["TZ": "UTC"], in: folder.path)
    }

    func report(_ options: [String], until end: String) async throws -> CommandOutput {
        try await run(
            ["report", "a.sqlite", "--origin", "import", "--until", end, "--quiet"] + options
        )
    }

    @Test(arguments: [
        ["--fail-if", "p95 > 1h"], ["--fail-if", "failed > 99%"], ["--fail-if", "stale > 30d"],
        ["--fail-if", "nobody:p50 < 1ms"],
        ["--objective", "p95 < 50ms", "--fail-if", "objective-missed"],
    ])
    func `a condition holds if nothing was measured`(options: [String]) async throws {
        try await write()
        let empty = try await report(["--since", "2026-03-18"] + options, until: "2026-03-19")
        #expect(empty.code == 1)
        #expect(empty.errors.contains("' holds: no "))
        #expect(empty.errors.contains(" from 2026-03-18 00:00 to 2026-03-19 00:00\n"))
        #expect(empty.output.hasPrefix("Nothing was measured from 2026-03-18 00:00"))
    }

    @Test func `a resolver without earlier rounds counts as slower`() async throws {
        try await write()
        let options = ["--against", "24h", "--fail-if", "meadow:slower-than-baseline"]
        let run = try await report(options, until: "2026-03-17")
        #expect(run.code == 1)
        #expect(run.errors.hasSuffix(" holds: meadow was not measured before\n"))
        let later = try await report(options, until: "2026-03-18")
        #expect(
            later.errors.hasSuffix(
                " holds: no usable round was measured from "
                    + "2026-03-17 00:00 to 2026-03-18 00:00\n"
            )
        )
    }

    @Test(arguments: [("stale > 29m", 1), ("stale > 30m", 0), ("stale >= 30m", 1)])
    func `a window is stale if its last round is too old`(text: String, code: Int32) async throws {
        try await write()
        let run = try await report(
            ["--since", "2026-03-16", "--fail-if", text],
            until: "2026-03-17"
        )
        #expect(run.code == code)
        let reason = "the last round was 30 min ago (2026-03-16 23:30 UTC)"
        let line = "dnstempo: --fail-if '\(text)' holds: \(reason)\n"
        #expect(run.errors == (code == 1 ? line : ""))
    }

    /// The window of a file ends with its last sample, but the age counts from the present time.
    @Test func `rounds of a file become stale`() async throws {
        try await write()
        let run = try await run(["report", "a.csv", "-q", "--fail-if", "stale > 1h"])
        #expect(run.code == 1)
        #expect(run.errors.contains("'stale > 1h' holds: the last round was "))
    }

    @Test func `a stale place is named among several`() async throws {
        let early = Rounds(start: "2026-03-16T00:00:00Z", count: 24)
        let late = Rounds(start: "2026-03-16T00:00:00Z", count: 48, run: "s", vantage: "attic")
        try folder.write(try early.file { _ in .answer(20) }, to: "desk.csv")
        try folder.write(try late.file { _ in .answer(20) }, to: "attic.csv")
        let run = try await run(
            [
                "report", "desk.csv", "attic.csv", "-q", "--by", "hour", "--since", "2026-03-16",
                "--until",
            ]
                + ["2026-03-17", "--fail-if", "stale > 1h"]
        )
        #expect(run.code == 1)
        #expect(
            run.errors.hasSuffix(
                "holds: desk: the last round was 12 h 30 min ago (2026-03-16 11:30 UTC)\n"
            )
        )
    }

    @Test func `a quiet report prints only if a condition holds`() async throws {
        try await write()
        let files = ["--since", "2026-03-16", "-o", folder.file("report.md")]
        let calm = try await report(files + ["--fail-if", "p95 > 1s"], until: "2026-03-17")
        #expect(calm.code == 0 && calm.output == "" && calm.errors == "")
        #expect(FileManager.default.fileExists(atPath: folder.file("report.md")))
        let bad = try await report(
            ["--since", "2026-03-16", "--fail-if", "p95 > 1ms", "--format", "csv"],
            until: "2026-03-17"
        )
        #expect(bad.code == 1)
        #expect(bad.output.hasPrefix("resolver,"))
        #expect(bad.errors.hasPrefix("dnstempo: --fail-if 'p95 > 1ms' holds: "))
    }

    @Test(arguments: [["--baseline", "meadow"], ["--recompute", "bundle"], ["last"]])
    func `stale requires a window`(options: [String]) async throws {
        try await write()
        let run = try await run(["report", "--fail-if", "stale > 1h"] + options)
        #expect(run.code == 64)
        #expect(
            run.errors.hasPrefix("dnstempo: --fail-if stale, changes and outage are about a window")
        )
    }
}

/// Conditions about incidents.
extension AlertConditionTests {
    /// Writes two weeks of rounds. meadow is 10 ms slower from the tenth day on, and no resolver answers for
    /// five hours of the twelfth.
    private func writeIncidents() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 672)
        let text = try rounds.file { query in
            let hour = query.round / 2
            if (268..<273).contains(hour) { return .timeout }
            let slow = query.resolver == 0 && hour >= 230 ? 10.0 : 0
            return .answer(20 + slow + query.noise)
        }
        try folder.write(text, to: "a.csv")
        let run = try await run(["store", "import", "a.csv", "--store", "a.sqlite"])
        #expect(run.code == 0)
    }

    @Test(arguments: [
        ("changes > 0", 1), ("changes > 2", 0), ("changes < 1", 0), ("outage > 4h", 1),
        ("outage > 6h", 0), ("meadow:changes > 1", 1), ("brook:changes > 1", 0),
        ("brook:outage > 1h", 1),
    ])
    func `conditions test the incidents of a window`(text: String, code: Int32) async throws {
        try await writeIncidents()
        for options in [[], ["--changes"]] {
            let run = try await report(
                ["--since", "2026-03-20", "--fail-if", text] + options,
                until: "2026-03-30"
            )
            #expect(run.code == code, "\(run.errors)")
            #expect(run.output.isEmpty == (code == 0))
        }
    }

    @Test func `a condition on incidents names them`() async throws {
        try await writeIncidents()
        let run = try await report(
            ["--since", "2026-03-20", "--fail-if", "outage > 4h"],
            until: "2026-03-30"
        )
        let outage = "All resolvers, no answer from 2026-03-27 04:00 to 09:00"
        #expect(run.errors == "dnstempo: --fail-if 'outage > 4h' holds: \(outage)\n")
    }

    @Test func `a report of incidents tests no figures`() async throws {
        try await writeIncidents()
        let run = try await run(["report", "a.sqlite", "--changes", "--fail-if", "p95 > 1ms"])
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("dnstempo: --changes takes --fail-if 'changes > 0', "))
    }
}
