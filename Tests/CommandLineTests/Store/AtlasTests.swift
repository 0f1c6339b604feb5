import Foundation
import Servers
import Testing

/// Import and export of RIPE Atlas results. dnspython 2.9 created the DNS messages in the results.
@Suite struct AtlasTests {
    private let folder = TemporaryFolder()
    static let results = "\(InstallTests.root)/Tests/SamplesTests/Fixtures/atlas.json"

    private static let remarks =
        "left out: 1 result not of DNS (ping 1), 1 result with neither answer nor error; the name "
        + "of 1 result is unknown (shown as unknown.invalid; the measurement's option include_qbuf "
        + "keeps it); 1 query time over TCP or TLS includes opening the connection"

    private static func run(_ arguments: [String], in folder: TemporaryFolder) async throws
        -> CommandOutput
    {
        try await Command.run(arguments, in: folder.path)
    }

    /// The results of the file, one per line.
    private static func lines() throws -> String {
        let data = try Data(contentsOf: URL(filePath: results))
        let objects = try #require(JSONSerialization.jsonObject(with: data) as? [Any])
        return try objects.map { object in
            let line = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
            return String(decoding: line, as: UTF8.self) + "\n"
        }
        .joined()
    }

    /// The responses that RIPE's own parser reads, one per line.
    private static func judged(_ file: String) async throws -> [Substring] {
        let run = try await Program(Program.testPython, package: "python3")
            .run(["\(InstallTests.root)/Tests/CommandLineTests/Reference/sagan.py", file])
        #expect(run.code == 0, "\(run.errors)")
        return run.output.split(separator: "\n")
    }

    @Test func `results are imported once, as an array or one per line`() async throws {
        try folder.write(Self.lines(), to: "lines.txt")
        let store = ["--store", "s.sqlite"]
        let first = try await Self.run(["store", "import", Self.results] + store, in: folder)
        #expect(first.code == 0 && first.errors == "")
        #expect(
            first.output
                == "\(Self.results): 19 rounds, 20 samples imported; 0 rounds were there already; "
                + "\(Self.remarks)\n"
        )
        let again = try await Self.run(
            ["store", "import", "lines.txt", "--format", "atlas"] + store,
            in: folder
        )
        #expect(again.code == 0 && again.errors == "")
        #expect(
            again.output
                == "lines.txt: 0 rounds, 0 samples imported; 19 rounds were there already; "
                + "\(Self.remarks)\n"
        )
        let known = try await Self.run(["store", "import", "lines.txt"] + store, in: folder)
        #expect(known.code == 0 && known.output == again.output)
        try await StoredFile(folder.file("s.sqlite")).expectSound(rounds: 19)
        let origins = try await Self.run(["export", "--origin", "import"] + store, in: folder)
        #expect(origins.output.split(separator: "\n").count == 21)
    }

    @Test func `exported results are imported again unchanged`() async throws {
        let compare =
            ["compare", "--lab", "hostile", "--rounds", "3", "--timeout", "500ms", "--nsid", "-q"]
            + ["--samples", "measured.csv", "--store", "s.sqlite"]
        #expect(try await Self.run(compare, in: folder).errors == "")
        try FileManager.default.copyItem(atPath: Self.results, toPath: folder.file("atlas.json"))
        for (source, rows) in [("s.sqlite", "measured.csv"), ("atlas.json", "atlas.csv")] {
            for arguments in [
                ["export", source, "-o", rows],
                ["export", source, "--format", "atlas", "-o", "out.json"],
                ["store", "import", "out.json", "--store", "\(rows).sqlite", "-q"],
                ["export", "\(rows).sqlite", "-o", "again.csv"],
                ["export", "out.json", "-o", "direct.csv"],
                ["export", "\(rows).sqlite", "--format", "atlas", "-o", "again.json"],
            ] {
                let run = try await Self.run(arguments, in: folder)
                #expect(run.code == 0 && run.output == "", "\(arguments)")
            }
            #expect(!folder.text(rows).isEmpty)
            // In an export, results without a name follow the others. A store sorts rows by the time of
            // sending.
            let copies = [("again.csv", rows), ("direct.csv", rows), ("again.json", "out.json")]
            for (copy, original) in copies {
                let lines = [copy, original].map { folder.text($0).split(separator: "\n").sorted() }
                #expect(lines[0] == lines[1])
            }
        }
    }

    /// A result has one time stamp for all its queries. The probe sets the time stamp when the last
    /// query ends.
    @Test func `a round is used although its time stamp is later than its queries`() async throws {
        let results = (1...3).map { probe in
            """
            {"fw": 5080, "type": "dns", "msm_id": 1, "prb_id": \(probe), "timestamp": \(1767225600 + probe * 60), \
            "resultset": [{"dst_addr": "192.0.2.53", "result": {"rt": 7.0, "size": 49}, "subid": 1, \
            "submax": 1, "time": 1767225600, "qbuf": "EjQBAAABAAAAAAAABHRlc3QAAAEAAQ=="}]}
            """
        }
        try folder.write(results.joined(separator: "\n") + "\n", to: "r.json")
        let run = try await Self.run(["report", "r.json"], in: folder)
        #expect(run.output.hasPrefix("3 places measured; "))
        #expect(run.output.contains("- 3 rounds, 2026-01-01 00:00 to 2026-01-01 00:03 (UTC)"))
    }

    @Test func `RIPE's own parser reads the same from results and their export`() async throws {
        let arguments = ["export", Self.results, "--format", "atlas", "-o", "out.json"]
        let run = try await Self.run(arguments, in: folder)
        #expect(run.code == 0)
        #expect(run.errors == "dnstempo: \(Self.results): \(Self.remarks)\n")
        let theirs = try await Self.judged(Self.results)
        let ours = try await Self.judged(folder.file("out.json"))
        #expect(ours.count == 20)
        // The program leaves out one result when it reads the file.
        #expect(theirs.filter { !ours.contains($0) }.count == 1)
        #expect(ours.allSatisfy { theirs.contains($0) })
    }

    @Test func `RIPE's own parser reads an export of lab rounds`() async throws {
        let compare = [
            "compare", "--lab", "--rounds", "2", "-q", "--samples", "m.csv", "--no-store",
        ]
        #expect(try await Self.run(compare, in: folder).errors == "")
        let run = try await Self.run(
            ["export", "m.csv", "--format", "atlas", "-o", "out.json"],
            in: folder
        )
        #expect(run.code == 0)
        let rows = folder.text("m.csv").split(separator: "\n").count - 1
        #expect(try await Self.judged(folder.file("out.json")).count == rows)
    }

    @Test func `a report reads results like any samples`() async throws {
        let run = try await Self.run(["report", Self.results, "--format", "csv"], in: folder)
        #expect(run.code == 0)
        #expect(run.errors == "dnstempo: \(Self.results): \(Self.remarks)\n")
        #expect(run.output.contains("ns.example"))
        #expect(run.output.contains("system from probe-11"))
        let chart = try await Self.run(["chart", Self.results, "--kind", "bars"], in: folder)
        #expect(chart.code == 0 && chart.output.contains("dot.example"))
    }

    @Test func `a time that includes the handshake is not reported as query time`() async throws {
        let lines = try Self.lines().split(separator: "\n")
        let line = try #require(lines.first { $0.contains("\"qt\"") && $0.contains("\"853\"") })
        for (parts, query) in [("\"qt\":25,", 25.0), ("", nil)] {
            try folder.write(String(line).replacing("\"qt\":25,", with: parts), to: "a.json")
            let run = try await Self.run(["report", "a.json", "--format", "json"], in: folder)
            let report = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let rows = try #require((report as? [String: Any])?["rows"] as? [[String: Any]])
            #expect(rows.count == 1)
            let row = try #require(rows.first)
            #expect(row["series"] as? String == "first" && row["median_ms"] as? Double == 75.125)
            #expect(row["median_query_ms"] as? Double == query)
            #expect(run.errors.contains("includes opening the connection") == (query == nil))
            // The reports from the file and from the store's hourly sums have the same note.
            let note = "The times of 1 of 1 query include opening the connection"
            let store = "\(parts.count).sqlite"
            let keep = ["store", "import", "a.json", "--store", store]
            #expect(try await Self.run(keep, in: folder).code == 0)
            for source in ["a.json", store] {
                let words = ["report", source, "--since", "2009-01-01"]
                let text = try await Self.run(words, in: folder).output
                let isSaid = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    .contains(note)
                #expect(isSaid == (query == nil), "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("[{\"type\":\"dns\"}]", "line 1, byte 2: the key timestamp is missing"),
        ("[{\"type\":\"ping\"}\n{}]", "line 2, byte 18: a comma is missing between two results"),
        ("[{\"type\":\"ping\"},", "byte 18: the array of results does not end"),
        ("{\"type\":\"dns\",\"timestamp\":1\n,\"abuf\"", "byte 1: a result does not end"),
    ])
    func `an error in JSON names its position`(text: String, words: String) async throws {
        try folder.write(text, to: "a.json")
        let run = try await Self.run(
            ["store", "import", "a.json", "--store", "s.sqlite"],
            in: folder
        )
        #expect(run.code == 65 && run.output == "")
        #expect(run.errors.hasPrefix("dnstempo: a.json, line "))
        #expect(run.errors.hasSuffix("\(words); nothing of 'a.json' was imported\n"))
    }

    private static let errorOfAPI =
        "a.json, line 1, byte 1: an error of the API instead of results:"

    @Test(
        arguments: [
            (
                "a.json", [0x1f, 0x8b, 0x08, 0x00],
                "'a.json' is compressed: decompress it first (gzip -d)"
            ),
            (
                "a.json.gz", [0x1f, 0x8b, 0x08, 0x00],
                "'a.json.gz' is compressed: decompress it first (gzip -d)"
            ),
            (
                "a.csv.bz2", Array("BZh91AY&SY".utf8),
                "'a.csv.bz2' is compressed: decompress it first (bzip2 -d)"
            ),
            (
                "a.csv", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
                "'a.csv' is compressed: decompress it first (xz -d)"
            ),
            (
                "a.csv", [0x50, 0x4b, 0x03, 0x04],
                "'a.csv' is a ZIP archive or a workbook: extract it, or save the table as .csv"
            ),
            (
                "a.json", Array(#"{"error": {"detail": "Not found.", "status": 404}}"#.utf8),
                "\(errorOfAPI) '404 Not found.'; download the results again"
            ),
            (
                "a.json", Array(#"{"detail": "Throttled."}"#.utf8),
                "\(errorOfAPI) 'Throttled.'; download the results again"
            ),
        ] as [(String, [UInt8], String)]
    )
    func `other downloads are rejected`(name: String, bytes: [UInt8], words: String) async throws {
        let folder = TemporaryFolder()
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
        for arguments in [["report", name], ["store", "import", name, "--store", "s.sqlite"]] {
            let run = try await Self.run(arguments, in: folder)
            #expect(run.code == 65 && run.output == "")
            #expect(run.errors.hasPrefix("dnstempo: \(words)"), "\(run.errors)")
            #expect(run.errors.count { $0 == "\n" } == 1)
        }
    }

    @Test(arguments: [
        (["store", "import", "x.json"], "'x.json' is not a samples file"),
        (
            ["store", "import", "x.json", "--format", "xml"],
            "--format: unknown value 'xml': choose"
        ),
        (["export", "x.csv", "--format", "xml"], "--format: unknown value 'xml': choose"),
        (
            ["export", "x.csv", "--format", "atlas", "--rollups"],
            "--rollups are csv or jsonl: leave out --format atlas"
        ),
        (
            ["export", "x.csv", "--format", "csv", "--layout", "matrix", "-o", "t"],
            "--layout matrix has a format of its own: leave out --format"
        ),
        (
            ["compare", "--lab", "--samples", "x.json"],
            "--samples 'x.json': end its name in .csv or .jsonl"
        ),
    ])
    func `an unknown format is rejected`(arguments: [String], words: String) async throws {
        let folder = TemporaryFolder()
        try folder.write("name\n", to: "x.json")
        try folder.write("resolver,name,outcome\n", to: "x.csv")
        let run = try await Self.run(arguments, in: folder)
        #expect(run.code == 64 && run.output == "")
        #expect(run.errors.hasPrefix("dnstempo: \(words)"), "\(run.errors)")
    }
}
