import Servers
import Testing

/// The live view that a terminal shows during a measurement.
@Suite struct LiveViewTests {
    private let folder = TemporaryFolder()
    private static let names = ["harbour", "meadow", "brook", "cliff", "marsh", "glacier"]
    /// The run continues after the verdict, so that a late check still sees the verdict.
    private static let compare =
        "compare --lab -d example.com -d example.org --rate 10 --rounds 1000 --no-check --no-floor"
    private static let watch = "watch --lab -d example.com -d example.org --interval 200ms"

    /// Returns the row of a resolver. Expects exactly one such row.
    private func row(
        _ name: String,
        in lines: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let rows = lines.filter { $0.hasPrefix("  \(name) ") }
        #expect(rows.count == 1, "\(lines)", sourceLocation: sourceLocation)
        return try #require(rows.first, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        (columns: 80, rows: 24, command: compare), (columns: 200, rows: 60, command: compare),
        (columns: 40, rows: 12, command: compare), (columns: 80, rows: 24, command: watch),
        (columns: 200, rows: 60, command: watch), (columns: 40, rows: 12, command: watch),
    ])
    func `live rows end in a verdict`(columns: Int, rows: Int, command: String) async throws {
        try await TerminalWindow.with(command, columns: columns, rows: rows) { window in
            let lines = try await window.wait { lines in
                lines.contains { $0.hasPrefix("  glacier") && $0.hasSuffix("  not faster") }
            }
            for name in Self.names {
                let row = try row(name, in: lines)
                #expect(row.contains(#/ \d+\.\d ms  .*\d+\.\d %/#))
                #expect(row.contains("●") == (columns >= 80))
                #expect(row.contains(#/ \d+\.\d–\d+\.\d /#) == (columns >= 80))
            }
            #expect(lines.count { $0.hasPrefix("  resolver  ") } == 1)
            #expect(lines.contains { $0.contains("answered  ") } == (columns >= 200))
            let baseline = try row("harbour", in: lines)
            #expect(baseline.hasSuffix(columns >= 80 ? "  current resolver" : "  current"))
            // The pattern matches evidence about any resolver. If several rounds end between two redraws, the
            // evidence about a given resolver may never be drawn.
            let others = #/ {2}(meadow|brook|cliff|marsh|glacier) [^\r\n]* [1-9]\d? %[\s\e]/#
            #expect(window.raw.contains(others))
            #expect(window.raw.contains("\u{1B}[?2026h") && !window.raw.contains("\u{1B}[2J"))
            try await window.press("C-c")
            let after = try await window.wait { $0.last == "end 130" }
            #expect(!after.contains { $0.contains(/round \d+ (of|is)/) })
        }
    }

    @Test func `closing the window ends a run, and its rounds are written`() async throws {
        let command = Self.compare + " -o r.json --store s.sqlite"
        try await TerminalWindow.with(command, columns: 80, rows: 24) { window in
            try await window.wait { lines in lines.contains { $0.contains("round 4") } }
            try await window.closeWindow()
            let isWritten = try await eventually { window.file("r.json").hasSuffix("}\n") }
            try #require(isWritten)
            let report = try JSON(window.file("r.json"))
            let caveats = try #require(report["caveats"] as? [[String: String]])
            #expect(caveats.contains { $0["code"] == "interrupted" })
            #expect(try report.resolvers.count == 6)
        }
    }

    @Test(arguments: [compare, watch])
    func `the live view follows the size of the window`(command: String) async throws {
        try await TerminalWindow.with(command, columns: 80, rows: 24) { window in
            try await window.wait { lines in lines.contains { $0.contains("round 3") } }
            try await window.resize(columns: 60, rows: 6)
            let low = try await window.wait { lines in
                lines.contains { $0.contains(/^  and \d more$/) }
            }
            #expect(low.count <= 6 && low.allSatisfy { $0.count <= 60 })
            #expect(low.count { $0.hasPrefix("  resolver  ") } == 1)
            _ = try row("harbour", in: low)
            try await window.resize(columns: 200, rows: 60)
            let high = try await window.wait { lines in
                lines.contains { $0.contains("answered  ") }
            }
            // No part of the earlier drawing remains.
            #expect(high.count { $0.hasPrefix("  resolver  ") } == 1)
            #expect(!high.contains { $0.hasSuffix(" more") })
            for name in Self.names { _ = try row(name, in: high) }
        }
    }

    @Test func `a watch counts each query once`() async throws {
        let command = Self.watch.replacing("200ms", with: "1s")
        try await TerminalWindow.with(command, columns: 200, rows: 24) { window in
            let shown = try await window.wait { lines in
                // Between two rounds, the table shows the earlier rounds.
                let due = lines.compactMap { try? #/^ *round (\d+) is due/#.firstMatch(in: $0) }
                guard let next = due.first.flatMap({ Int($0.output.1) }), next >= 4 else {
                    return false
                }
                let row = lines.first { $0.hasPrefix("  harbour ") } ?? ""
                let cell = try #/ (\d+) +\d+\.\d %/#.firstMatch(in: row)?.output.1 ?? ""
                return Int(cell) == 2 * (next - 1)
            }
            #expect(!shown.contains { $0.contains("is being measured") })
        }
    }

    @Test(arguments: [(command: "compare --rate 3 --max-rounds 1000", columns: 80), ("watch", 40)])
    func `first queries have their own row`(command: String, columns: Int) async throws {
        let (_, authority, certificate) = try await ThrowawayAuthority.certified("dns.test")
        let port = try Loopback.freePort()
        let settings = [
            "interface: 127.0.0.1@\(port)", "tls-port: \(port)",
            "tls-service-key: \"\(certificate.key)\"", "tls-service-pem: \"\(certificate.file)\"",
        ]
        try await withServer(.unbound(settings: settings)) { server in
            let resolvers = "plain=\(server.endpoint) 'dot=tls://127.0.0.1:\(port)#dns.test'"
            let options = "--ca \(authority.root) -d a.example.com -d b.example.com --no-store"
            try await TerminalWindow.with(
                "\(command) \(resolvers) \(options)",
                columns: columns,
                rows: 24
            ) { window in
                let lines = try await window.wait { lines in
                    ["plain ", "dot ", "dot, first "].allSatisfy { name in
                        lines.contains { $0.hasPrefix("  \(name)") && $0.contains(" ms ") }
                    } && lines.contains { $0.contains(/round [2-9]/) }
                }
                for name in ["plain", "dot", "dot, first"] {
                    let row = try row(name, in: lines)
                    #expect(row.contains(#/ \d+\.\d+ ms  .*0\.0 %/#))
                }
                try await window.press("C-c")
                let after = try await window.wait { $0.last == "end 130" }
                #expect(!after.contains { $0.hasPrefix("  dot, first ") })
            }
        }
    }

    @Test func `typed characters do not stay in the live view`() async throws {
        try await TerminalWindow.with(Self.compare, columns: 80, rows: 24) { window in
            try await window.wait { lines in lines.contains { $0.contains("round 2") } }
            try await window.press("Enter", "x", "y", "z", "z", "y")
            try await window.wait { lines in
                lines.contains { $0.contains("round ") } && !lines.contains { $0.contains("xyzzy") }
                    && Self.names.allSatisfy { name in
                        lines.contains { $0.hasPrefix("  \(name) ") && $0.contains(" ms ") }
                    }
            }
        }
    }

    @Test(arguments: ["C", "POSIX", "en_US.ISO-8859-1"])
    func `the live view is legible without UTF-8`(locale: String) async throws {
        let variables = ["LC_ALL": locale, "NO_COLOR": "1"]
        try await TerminalWindow.with(
            "compare --lab harbour meadow --rounds 8 -d example.com --rate 4 --no-check",
            columns: 80,
            rows: 40,
            variables: variables
        ) { window in
            let lines = try await window.wait { $0.last == "end 0" }
            #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
            #expect(window.raw.utf8.allSatisfy { $0 < 0x80 })
            #expect(window.raw.contains(#/  meadow .*o.* 0\.0 %  [-=]{10} +\d+ %/#))
            #expect(!window.raw.contains(/\u{1B}\[[0-9;]*m/))
        }
    }

    @Test(arguments: [(command: "report --by vantage", words: "ro "), ("chart", "queries in")])
    func `reports and charts work without UTF-8`(command: String, words: String) async throws {
        let samples = folder.file("s.csv")
        try await Binary.succeed(
            ["compare", "--lab", "harbour", "meadow", "--rounds", "2", "-d", "example.com", "-q"]
                + ["--no-check", "--vantage", "Büro", "--samples", samples]
        )
        try await TerminalWindow.with(
            "\(command) '\(samples)'",
            columns: 80,
            rows: 40,
            variables: ["LC_ALL": "C"]
        ) { window in
            // The recorded output arrives a moment later than the lines on the screen.
            try await window.wait { $0.last == "end 0" && window.raw.contains(words) }
            #expect(window.raw.utf8.allSatisfy { $0 < 0x80 })
            // The name of the place has one character without an ASCII form. The program replaces it with one
            // question mark.
            #expect(!window.raw.contains("??"))
        }
    }

    @Test(arguments: [
        (option: [], variables: ["LANG": "C"]), ([], ["TERM": "dumb"]), ([], ["LC_ALL": "POSIX"]),
        (["--ascii"], [:]),
    ])
    func `text output is ASCII on request`(
        option: [String],
        variables: [String: String]
    ) async throws {
        let samples = folder.file("s.csv")
        let run = try await Binary.run(
            ["compare", "--lab", "harbour", "meadow", "--rounds", "2", "-d", "example.com"]
                + ["--no-check", "--live", "--vantage", "Büro", "--samples", samples] + option,
            environment: variables
        )
        #expect(run.code == 0 && run.output.contains("|"))
        let reports = [
            ["report", samples], ["report", "--by", "hour", samples], ["chart", samples],
            ["chart", "--kind", "percentiles", samples],
        ]
        var outputs = [run.output, run.errors]
        for words in reports {
            let run = try await Binary.run(words + option, environment: variables)
            #expect(run.code == 0, "\(words)")
            outputs += [run.output, run.errors]
        }
        if option.isEmpty {
            outputs.append(try await Binary.run(["report", "-h"], environment: variables).output)
        }
        for output in outputs {
            // The name of the place is data, and stays unchanged.
            let own = output.replacing("Büro", with: "")
            #expect(own.utf8.allSatisfy { $0 < 0x80 }, "\(own)")
        }
        let json = try await Binary.run(
            ["report", samples, "--format", "json"] + option,
            environment: variables
        )
        #expect(json.output.contains("Büro"))
    }

    @Test(arguments: [
        (option: "", variables: ["TERM": "dumb"], lines: 0),
        (option: " --no-live", variables: [:], lines: 0),
        (option: " --live", variables: ["TERM": "dumb"], lines: 1),
    ])
    func `a terminal that cannot draw gets lines only with --live`(
        option: String,
        variables: [String: String],
        lines: Int
    ) async throws {
        let command = "compare --lab harbour meadow --rounds 1 -d example.com --no-check" + option
        try await TerminalWindow.with(command, columns: 90, rows: 40, variables: variables) {
            let shown = try await $0.wait { $0.last == "end 0" }
            #expect(shown.count { $0.hasPrefix("round 1 of 1: harbour ") } == lines)
            #expect(!$0.raw.contains("\u{1B}[?2026h") && !$0.raw.contains(/\u{1B}\[\d*A/))
        }
    }

    @Test func `without a terminal, --live prints one line per round`() async throws {
        let command = [
            "compare", "--lab", "harbour", "meadow", "glacier", "--rounds", "15", "--rate", "10",
            "-d", "example.com", "-d", "example.org", "--no-check", "--no-floor",
        ]
        try await Binary.succeedSilently(command)
        let told = try await Binary.succeed(command + ["--live"])
        let last = try #require(told.errors.split(separator: "\n").last)
        #expect(last.hasPrefix("round 15 of 15: harbour "))
        let rows = /harbour \d+\.\d ms; meadow \d+\.\d ms, .*; glacier \d+\.\d ms, not faster/
        #expect(last.contains(rows))
    }

    @Test(arguments: ["compare", "watch"])
    func `quiet and live output cannot be combined`(command: String) async throws {
        let run = try await Binary.run([command, "--lab", "--live", "-q"])
        #expect(run.code == 64)
        #expect(run.errors.contains("--live and --quiet cannot be combined: leave one out"))
    }
}
