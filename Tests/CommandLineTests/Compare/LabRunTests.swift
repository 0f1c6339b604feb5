import Foundation
import Servers
import Testing

/// Runs of the lab with all outputs.
@Suite struct LabRunTests {
    private let folder = TemporaryFolder()

    @Test func `every output of a run agrees with its samples`() async throws {
        var arguments = ["compare", "--lab", "--rounds", "3", "--timeout", "1s"]
        for suffix in ["txt", "csv", "json", "md", "svg"] { arguments += ["-o", "r.\(suffix)"] }
        let run = try await Binary.succeedSilently(
            arguments + ["--samples", "s.csv"],
            in: folder.path
        )
        #expect(!run.bytes.contains(0x1b))
        let rows = Table(folder.text("s.csv"))
        #expect(rows.header == Self.samplesHeader)
        #expect(rows.rows.count == 6 * 10 * 3)
        #expect(rows.column("clock").allSatisfy { $0 == "kernel" || $0 == "user" })
        let answered = rows.rows.filter { rows[$0, "outcome"] == "answered" }
        #expect(answered.allSatisfy { rows[$0, "clock"] == "kernel" })
        let report = try JSON(folder.text("r.json"))
        #expect(report["schema"] as? String == "dnstempo.comparison/1")
        for resolver in try report.resolvers {
            let name = try #require(resolver["name"] as? String)
            let mine = rows.rows.filter { rows[$0, "resolver"] == name }
            let failures = try #require(resolver["failures"] as? [String: Int])
            var parts = ["answered", "timeouts", "filtered"].compactMap { resolver[$0] as? Int }
            parts += failures.values
            #expect(resolver["sent"] as? Int == mine.count)
            #expect(parts.reduce(0, +) == mine.count)
            let times = mine.map { Double(rows[$0, "rtt_ms"]) ?? .infinity }.sorted()
            let median = try #require(resolver["median_ms"] as? Double)
            let middle = times[(times.count + 1) / 2 - 1]
            #expect(abs(median - middle) < 0.001)
        }
        let summary = Table(folder.text("r.csv"))
        #expect(summary.rows.count == 6)
        // CSV columns have the names of the JSON keys. In CSV, failures have three columns, and each interval
        // has two.
        let keys = Set(try #require(report.resolvers.first).keys)
        let columns = Set(summary.header.split(separator: ",").map(String.init))
        #expect(
            columns.subtracting(keys) == [
                "failed", "unreachable", "malformed", "rank_from", "rank_to", "failure_ci_low",
                "failure_ci_high", "median_ci_low_ms", "median_ci_high_ms", "caveats",
            ]
        )
        #expect(keys.subtracting(columns) == ["failures", "rank", "failure_ci", "median_ci_ms"])
        let picture = try await Program("rsvg-convert", package: "librsvg2-bin")
            .run(["-o", folder.file("r.png"), folder.file("r.svg")])
        #expect(picture.code == 0)
        #expect(folder.read("r.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test(arguments: [("csv", "resolver,"), ("json", "{"), ("markdown", "**")])
    func `standard output has only the chosen format`(format: String, start: String) async throws {
        let run = try await Binary.succeed(
            ["compare", "--lab", "meadow", "--rounds", "1", "--format", format])
        #expect(run.output.hasPrefix(start))
        #expect(run.errors == "")
    }

    @Test func `a separate lab answers like other resolvers, and SIGINT ends it`() async throws {
        try await Binary.withRunning(["lab", "--seed", "7"]) { lab, folder in
            let isUp = try await eventually(while: lab) {
                folder.text("output").contains("glacier")
            }
            try #require(isUp)
            let line = /harbour +(127\.0\.0\.1:[0-9]+) +22\.3 ms  \(current resolver\)/
            let address = try #require(folder.text("output").firstMatch(of: line)?.output.1)
            let run = try await Binary.succeed(
                ["compare", String(address), "-d", "example.com", "--rounds", "2"]
                    + ["--rate", "50", "--format", "json"]
            )
            #expect(try JSON(run.output).resolvers.first?["answered"] as? Int == 2)
            lab.send(signal: SIGINT)
            #expect(await lab.end() == .code(0))
            #expect(folder.text("errors") == "")
        }
    }

    @Test func `a quiet run prints nothing`() async throws {
        let run = try await Binary.succeed(["compare", "--lab", "meadow", "--rounds", "1", "-q"])
        #expect(run.output == "" && run.errors == "")
    }

    @Test func `samples stay unchanged when exported to both formats`() async throws {
        let runs = [
            ["compare", "--lab", "hostile", "--rounds", "1", "--timeout", "500ms", "--nsid", "-q"]
                + ["--samples", "a.csv"],
            ["export", "a.csv", "-o", "b.jsonl"],
            ["export", "b.jsonl", "-o", "c.csv"],
        ]
        for arguments in runs {
            #expect(try await Binary.run(arguments, in: folder.path).code == 0)
        }
        #expect(!folder.read("a.csv").isEmpty)
        #expect(folder.text("a.csv") == folder.text("c.csv"))
        let shown = try await Binary.succeed(["export", "b.jsonl"], in: folder.path)
        #expect(shown.bytes == folder.read("a.csv"))
    }

    @Test func `samples have the bytes and packets of their queries on request`() async throws {
        let run = ["compare", "--lab", "meadow", "--rounds", "1", "-q", "--wire"]
        _ = try await Binary.succeed(run + ["--samples", "a.csv"], in: folder.path)
        let samples = Table(folder.text("a.csv"))
        let answered = samples.rows.filter { samples[$0, "outcome"] == "answered" }
        #expect(!answered.isEmpty)
        for row in answered {
            #expect(samples[row, "wire_packets"] == "2")
            // The header of UDP has eight bytes.
            let size = try #require(Int(samples[row, "bytes"]))
            #expect(Int(samples[row, "wire_bytes_in"]) == size + 8)
            #expect(Int(samples[row, "wire_bytes_out"]) ?? 0 > 8 + 12)
        }
        let export = ["export", "a.csv", "-o", "b.csv"]
        _ = try await Binary.succeed(export, in: folder.path)
        #expect(folder.text("a.csv") == folder.text("b.csv"))
    }

    @Test func `the matrix has a file per name, a row per round, and empty cells`() async throws {
        try folder.write(
            """
            [[resolver]]
            name = "good"
            base = "2ms"
            [[resolver]]
            name = "deaf"
            base = "2ms"
            loss = 1.0

            """,
            to: "lab.toml"
        )
        try await Binary.succeed(
            ["compare", "--lab", "lab.toml", "-d", "example.com", "-d", "example.org"]
                + ["--rounds", "4", "--timeout", "2s", "-q", "--samples", "s.csv"],
            in: folder.path
        )
        try await Binary.succeed(
            ["export", "s.csv", "--layout", "matrix", "-o", "tables"],
            in: folder.path
        )
        for name in ["example.com", "example.org"] {
            let lines = folder.text("tables/\(name).tsv").split(separator: "\n")
            #expect(lines.first == "deaf\tgood")
            #expect(lines.count == 5)
            for line in lines.dropFirst() {
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
                #expect(cells[0] == "")
                #expect(Double(cells[1]) != nil)
            }
        }
    }

    private static let samplesHeader =
        "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
        + "rcode,rtt_ms,connect_ms,handshake_ms,udp_ms,ttl,answers,bytes,late_ms,clock,timeout_ms,"
        + "cache,site,ede,connection,detail,flags,round_marks,origin,network_rtt_ms,edge_ms,"
        + "warmup_hits,warmup_misses,warmup_miss_ms,cause,cause_value,"
        + "wire_bytes_out,wire_bytes_in,wire_packets"
}
