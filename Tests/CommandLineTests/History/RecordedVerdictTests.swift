import Foundation
import Servers
import Testing

/// Later uses of a stored run: resuming, conditions, comparisons and reports.
@Suite struct RecordedVerdictTests {
    private let folder = TemporaryFolder()
    private static let lab = ["compare", "--lab", "harbour", "meadow", "brook"]

    /// The comparisons, sorted by candidate. A samples file does not contain the order of the resolvers.
    private func comparisons(_ text: String) throws -> [NSDictionary] {
        let all = try #require(try JSON(text)["comparisons"] as? [NSDictionary])
        return all.sorted { "\($0["candidate"] ?? "")" < "\($1["candidate"] ?? "")" }
    }

    @Test func `a resumed run includes its first rounds`() async throws {
        let stored = Self.lab + ["--store", folder.file("s.sqlite"), "--format", "json"]
        try await Binary.succeedSilently(stored + ["--rounds", "3"])
        let second = try await Binary.succeed(stored + ["--rounds", "4", "--resume"])
        #expect(
            second.errors.contains(/^dnstempo: resuming run [0-9TZ]+-[0-9a-f]{8} \(3 rounds\)\n$/)
        )
        let rounds = try comparisons(second.output).compactMap { $0["rounds"] as? Int }
        #expect(rounds == [7, 7])
        let other = try await Binary.run(stored + ["--rounds", "1", "--resume", "--margin", "1ms"])
        #expect(other.errors.contains("has no such run to resume; starting a new one"))
        let third = try await Binary.run(stored + ["--rounds", "1", "--resume", "--seed", "7"])
        #expect(third.errors.contains(" (7 rounds)\n"))
        #expect(
            third.errors.hasSuffix(
                "dnstempo: --seed is ignored: the resumed run keeps its own seed\n"
            )
        )
    }

    @Test func `resuming a run requires a store`() async throws {
        let run = try await Binary.run(Self.lab + ["--resume", "--rounds", "1"])
        #expect(run.code == 64)
        #expect(
            run.errors
                == "dnstempo: --resume continues a run of a store: name one with --store\n"
        )
    }

    @Test func `conditions that hold give one line and exit code 1`() async throws {
        let run = try await Binary.run(
            Self.lab + ["--rounds", "40", "--baseline", "meadow", "-q", "--samples", "s.csv"]
                + ["--fail-if", "harbour:p50 > 5ms", "--fail-if", "loss > 99%"]
                + ["--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(run.code == 1)
        #expect(
            run.errors.contains(
                /^dnstempo: --fail-if 'harbour:p50 > 5ms' holds: harbour has p50 2[0-9.]+ ms; 'slower-than-baseline' holds: harbour is slower\n$/
            )
        )
        let report = try await Binary.run(
            ["report", "s.csv", "--baseline", "meadow", "--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(report.code == 1)
        #expect(report.errors.contains("'slower-than-baseline' holds: harbour is slower"))
        #expect(report.output.contains("meadow"))
        try await Binary.succeedSilently(
            ["report", "s.csv", "--fail-if", "p50 > 10s"],
            in: folder.path
        )
    }

    @Test func `two saved runs are compared`() async throws {
        for (base, name) in [("4ms", "before"), ("25ms", "now")] {
            try folder.write("[[resolver]]\nname = \"one\"\nbase = \"\(base)\"\n", to: "lab.toml")
            try await Binary.succeed(
                ["compare", "--lab", "lab.toml", "--rounds", "10", "-q"]
                    + ["--samples", "\(name).csv"],
                in: folder.path
            )
        }
        let slower = try await Binary.run(
            ["report", "now.csv", "--against", "before.csv", "--fail-if", "slower-than-baseline"],
            in: folder.path
        )
        #expect(slower.code == 1)
        #expect(slower.output.contains("one: slower than before, median 2"))
        #expect(
            slower.errors == "dnstempo: --fail-if 'slower-than-baseline' holds: one is slower\n"
        )
        let faster = try await Binary.succeedSilently(
            ["report", "before.csv", "--against", "now.csv", "--fail-if", "slower-than-baseline"]
                + ["--format", "json"],
            in: folder.path
        )
        let rows = try JSON(faster.output)["rows"] as? [[String: Any]]
        #expect(rows?.first?["verdict"] as? String == "switch")
        #expect(rows?.first?["rounds"] as? Int == 10)
    }

    /// The number of paired rounds of the first resolver in a report against `before.csv`.
    private func paired(_ arguments: String, in folder: TemporaryFolder) async throws -> Int? {
        let run = try await Binary.succeedSilently(
            "report \(arguments) --against before.csv --format json".split(separator: " ")
                .map(String.init),
            in: folder.path
        )
        return (try JSON(run.output)["rows"] as? [[String: Any]])?.first?["rounds"] as? Int
    }

    @Test func `only the reported rounds of a store are compared with a file`() async throws {
        let asked = ["--lab", "meadow", "-d", "example.com", "--store", "s.sqlite", "-q"]
        for words in [
            ["compare"] + asked + ["--rounds", "3", "--samples", "before.csv"], ["sample"] + asked,
        ] {
            try await Binary.succeed(words, in: folder.path)
        }
        #expect(try await paired("s.sqlite", in: folder) == 1)
        #expect(try await paired("s.sqlite --origin all", in: folder) == 3)
    }

    @Test func `a report's window does not filter the file of --against`() async throws {
        for (start, name) in [("2026-01-05", "before"), ("2026-03-16", "now")] {
            let rounds = Rounds(start: "\(start)T00:00:00Z", count: 8)
            try folder.write(try rounds.file { _ in .answer(20) }, to: "\(name).csv")
        }
        let late = "now.csv --since 2026-03-16T02:00:00Z --vantage desk"
        #expect(try await paired(late, in: folder) == 4)
    }

    @Test func `a report on a finished run repeats its result without measuring`() async throws {
        func run(_ words: String, code: Int32 = 0) async throws -> CommandOutput {
            let run = try await Binary.run(
                words.split(separator: " ").map(String.init),
                in: folder.path
            )
            #expect(run.code == code, "\(words): \(run.errors)")
            return run
        }
        let told = try await run(
            "compare --lab harbour meadow brook --rounds 8 --baseline meadow --margin 1ms "
                + "--store s.sqlite -o c.json --samples s.csv"
        )
        let hint = "See the charts: dnstempo report last --store s.sqlite -o charts.svg\n"
        #expect(told.output.hasSuffix(hint))
        // `last` still means this run after another round was sampled.
        _ = try await run("sample --lab meadow -d example.com --store s.sqlite")
        let again = try await run(
            "report last --store s.sqlite -o r.json -o r.svg -o r.html --fail-if loss>50%"
        )
        // The store does not contain the notes from the two checks of the machine.
        let machine = #/Note: (Timers of|A query to) this machine[^\n]*\n(\s{6}[^\n]*\n)*/#
        #expect(again.output + hint == told.output.replacing(machine, with: ""))
        #expect(again.errors == "")
        let (first, second) = try (JSON(folder.text("c.json")), JSON(folder.text("r.json")))
        for key in ["run", "comparisons", "advice", "vantage", "started"] {
            #expect(first[key] as? NSObject == second[key] as? NSObject, "\(key)")
        }
        // Handshakes are not samples, so the store does not contain them.
        let measured = try first.resolvers.map { $0.filter { $0.key != "floor_ms" } }
        #expect(try measured as NSArray == second.resolvers as NSArray)
        #expect(folder.text("r.svg").contains("Share of queries answered within a time"))
        let name = try #require(first["run"] as? String)
        #expect(folder.text("r.html").contains("dnstempo report \(name) --store s.sqlite"))
        #expect(folder.text("s.csv").contains("\n\(name),1,"))
        let byName = try await run("report \(name.dropLast(3)) s.sqlite --chart bars -o b.svg")
        #expect(byName.output == again.output)
        #expect(!folder.text("b.svg").contains("Share of queries answered within a time"))
        #expect(try await run("report \(name) s.csv --margin 1ms --baseline meadow").errors == "")
        let failing = try await run("report last s.sqlite --fail-if harbour:p50>1ms", code: 1)
        #expect(failing.errors.contains("holds: harbour has p50 2"))
        let other = try await run("report last s.sqlite --baseline harbour -o o.json")
        #expect(other.output != again.output && other.errors == "")
        let unknown = try await run("report lsat s.sqlite", code: 66)
        #expect(
            unknown.errors == "dnstempo: there is no file 'lsat', and no run of that name; did you "
                + "mean 'last'?\n"
        )
        let several = try await run("report 2 s.sqlite", code: 64)
        #expect(several.errors.hasPrefix("dnstempo: 2 runs begin with '2', from '"))
        for part in ["--since 7d", "--transport udp", "--name example.com", "--vantage home"] {
            let run = try await run("report last s.sqlite \(part)", code: 64)
            #expect(
                run.errors.contains("'last' is not a file, so it is read as a run, which is rep")
            )
        }
    }

    @Test(arguments: [(20 * 24, 0.0), (10 * 24, 0.0), (18 * 24, 4.0)])
    func `a comparison over pruned samples uses their hours`(
        hours: Int,
        daysLeft rest: Double
    ) async throws {
        let start = Date.now.addingTimeInterval(Double(-hours) * 3600)
        let rounds = Rounds(start: start.formatted(.iso8601), count: 2 * 24 * 8)
        try folder.write(
            try rounds.file { .answer([12.0, 30, 20][$0.resolver] + $0.noise) },
            to: "a.csv"
        )
        func run(_ words: String) async throws -> CommandOutput {
            try await Command.run(
                words.split(separator: " ").map(String.init),
                environment: ["TZ": "UTC"],
                in: folder.path
            )
        }
        _ = try await run("store import a.csv --store a.sqlite")
        let end = start.addingTimeInterval(5 * 86_400)
        let prune = Int(Date.now.timeIntervalSince(end) / 3600 + rest * 24)
        _ = try await run("store prune --older-than \(prune)h --store a.sqlite")
        let window =
            "report a.sqlite --origin all --since \(start.formatted(.iso8601)) "
            + "--until \(end.formatted(.iso8601)) --baseline"
        let report = try await run("\(window) harbour")
        #expect(report.code == 0, "\(report.errors)")
        let verdict = /Yes, meadow is 1[78]\.\d ms faster than harbour\.\n/
        #expect(report.output.prefixMatch(of: verdict) != nil, "\(report.output)")
        #expect(report.output.contains("\n- 240 rounds, "), "\(report.output)")
        let unknown = try await run("\(window) nobody")
        #expect(unknown.code == 64)
        #expect(unknown.errors.hasPrefix("dnstempo: --baseline: 'nobody' was not measured; "))
    }

    @Test func `a report draws the charts of its window`() async throws {
        let rounds = Rounds(start: "2026-03-16T00:00:00Z", count: 200)
        try folder.write(try rounds.troubled(), to: "a.csv")
        try await Binary.succeedSilently(
            ["report", "a.csv", "-o", "r.svg"],
            in: folder.path
        )
        for heading in ["Query time over time", "Query time by hour of day and weekday"] {
            #expect(folder.text("r.svg").contains(heading))
        }
        try await Binary.succeed(
            ["report", "a.csv", "-o", "s.svg", "--chart", "smoke"],
            in: folder.path
        )
        #expect(folder.text("s.svg").contains("Density of query times over time"))
        for (arguments, fault) in [
            ("-o r.svg --chart rounds", "--chart: unknown value 'rounds': choose timeline, smoke"),
            (
                "--chart smoke",
                "--chart chooses what an .svg or .png file shows; add -o FILE.svg or FILE.png"
            ),
        ] {
            let words = arguments.split(separator: " ").map(String.init)
            let refused = try await Binary.run(["report", "a.csv"] + words, in: folder.path)
            #expect(refused.code == 64)
            #expect(refused.errors.contains(fault))
        }
    }
}
