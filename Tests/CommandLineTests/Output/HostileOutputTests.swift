import Foundation
import Servers
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// All outputs of a samples file with hostile texts. Another server or another user may have written such
/// texts.
@Suite struct HostileOutputTests {
    /// Texts with control sequences, invisible characters, marks without a letter, markup, and formulas.
    private static let texts = [
        "\u{1B}[2J\u{1B}]0;x\u{7}", "\u{1B}]8;;http://evil.test\u{7}click\u{1B}]8;;\u{7}",
        "\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}fdp", "\u{2066}\u{2067}\u{2068}\u{2069}\u{61C}x",
        "a\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{3164}\u{AD}b", "<img src=x onerror=alert(1)>",
        "]]><!-- --><script>alert(1)</script>", "a | b || c", "```\n`code` ``` x",
        "a\r\nb\u{2028}c",
        "=cmd|' /C calc'!A0", "+1+1", "-1", "@SUM(1)", "nul\u{0}l\u{85}\u{9B}31m",
        "\u{301}\u{338}\u{20D2}", "\"\u{301} onmouseover=\u{301}\"alert(1)", "<\u{338}img src=x>",
        "|\u{338} | x |", ",\u{301}\"\u{301},", "[x](javascript:alert(1))",
        "![x](http://evil.test/)",
        "http://evil.test/x www.evil.test", "# x", "1. x", "    x", "&lt;b&gt;", "\\", "${x} {{x}}",
        "a" + String(repeating: "\u{301}", count: 30), "\u{E0041}\u{E007F}\u{E000}",
    ]

    private static var samples: String {
        var lines = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,outcome,"
                + "rtt_ms,timeout_ms,site,connection,detail,flags"
        ]
        for round in 1...12 {
            for (index, text) in (["quad9"] + texts).enumerated() {
                let time = "2026-10-01T00:\(round + 10):\(index + 10).000000Z"
                let outcome = index > 0 && round % 3 == 0 ? "unreachable" : "answered"
                let cells =
                    ["r", "\(round)", time, time, texts[round], text, text]
                    + [index % 2 == 0 ? "udp" : text, "cached", "n\(index % 3).example.com", "A"]
                    + [
                        outcome, "\(Double(index * 3 + round % 5) + 5.25)", "5000",
                        text + "\(round)",
                    ]
                    + ["new", text + String(repeating: "x", count: 10_000), "unverified tampering"]
                lines.append(cells.map(quoted).joined(separator: ","))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func quoted(_ cell: String) -> String {
        "\""
            + cell.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
            .map { String($0) }.joined(separator: "\"\"") + "\""
    }

    /// Returns a hostile character: a control character, an invisible character, a character that changes the
    /// direction of text, or a mark without a letter. Returns `nil` if the text has none of them.
    private static func hostile(in text: String) -> Unicode.Scalar? {
        var carriesMarks = false
        for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                return scalar
            case .nonspacingMark, .enclosingMark: if !carriesMarks { return scalar }
            default:
                if scalar.properties.isDefaultIgnorableCodePoint { return scalar }
                carriesMarks = scalar.properties.isAlphabetic || !scalar.isASCII
            }
        }
        return nil
    }

    private func withFiles(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.samples, to: "s.csv")
        try await body(folder)
    }

    private func expectHarmless(_ text: String, _ name: String) {
        #expect(!text.isEmpty, "\(name)")
        let found = Self.hostile(in: text)
        #expect(found == nil, "\(name): \(found?.value ?? 0)")
    }

    @Test(arguments: [
        ["report", "s.csv"], ["report", "s.csv", "--by", "day"], ["report", "s.csv", "--changes"],
        ["report", "s.csv", "--by", "vantage"], ["report", "s.csv", "--by", "transport"],
        ["report", "s.csv", "--baseline", "quad9"], ["report", "s.csv", "--against", "s.csv"],
    ])
    func `hostile samples corrupt no report`(arguments: [String]) async throws {
        try await withFiles { folder in
            let files = ["r.txt", "r.csv", "r.json", "r.md", "r.html"]
            let run = try await Binary.succeed(
                arguments + files.flatMap { ["-o", $0] },
                in: folder.path
            )
            for file in files { expectHarmless(folder.text(file), file) }
            expectHarmless(run.output + run.errors, "standard output")
            let page = folder.text("r.html").lowercased()
            #expect(!page.contains("<img") && !page.contains("alert(1)</script>"))
            #expect(!page.contains("\" onmouseover") && !page.contains("<!-- -->"))
            expectPlain(markdown: folder.text("r.md"))
            #expect(Self.columnCounts(csv: folder.text("r.csv")).count == 1)
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(folder.text("r.json").utf8))
            }
        }
    }

    /// Returns the different numbers of cells that rows have.
    private static func columnCounts(csv text: String) -> Set<Int> {
        let comma = UInt8(ascii: ","), quote = UInt8(ascii: "\"")
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"))
        return Set(
            lines.map { line in
                line.split(separator: quote, omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 0 }
                    .reduce(1) { $0 + $1.element.count { $0 == comma } }
            }
        )
    }

    /// Expects that the text has no markup except the report's own markup.
    private func expectPlain(markdown text: String) {
        // A backslash escapes the next character.
        let bare = text.replacing("\\\\", with: "").replacing(/\\[!-\/:-@\[-`{-~]/, with: "")
        #expect(!bare.contains("<") && !bare.contains("](") && !bare.contains("http://"))
        #expect(!bare.replacing(/(?m)^`{3,}$/, with: "").contains("```"))
        for table in bare.split(separator: /\n\n+/) {
            let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }
            let columns = Set(rows.map { row in row.count { $0 == "|" } })
            #expect(columns.count <= 1, "\(columns)")
        }
        for line in text.split(separator: "\n") {
            #expect(line.prefixMatch(of: /(#|=|    |\d+[.)] )/) == nil, "\(line.prefix(80))")
        }
    }

    @Test(arguments: ["timeline", "smoke", "heatmap", "places", "distribution", "bars", "opening"])
    func `hostile samples corrupt no chart`(kind: String) async throws {
        try await withFiles { folder in
            let chart = ["chart", "s.csv", "--kind", kind]
            let run = try await Binary.run(chart, in: folder.path)
            expectHarmless(run.output + run.errors, kind)
            let drawn = try await Binary.run(chart + ["-o", "c.svg"], in: folder.path)
            #expect(run.code == 0 && drawn.code == 0, "\(drawn.errors)")
            let picture = folder.text("c.svg")
            expectHarmless(picture, kind)
            #expect(!picture.contains("<img") && !picture.contains("<script"))
            #expect(XMLParser(data: Data(picture.utf8)).parse())
        }
    }

    @Test func `hostile samples corrupt no export`() async throws {
        try await withFiles { folder in
            for arguments in [
                ["-o", "e.csv"], ["-o", "e.jsonl"], ["--layout", "matrix", "-o", "m"],
            ] {
                try await Binary.succeed(["export", "s.csv"] + arguments, in: folder.path)
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("m"))
            for file in ["e.csv", "e.jsonl"] + names.map({ "m/" + $0 }) {
                expectHarmless(file, file)
                expectHarmless(folder.text(file), file)
            }
            #expect(Self.columnCounts(csv: folder.text("e.csv")).count == 1)
        }
    }

    @Test func `hostile samples corrupt no store, page or metric`() async throws {
        try await Binary.withServe(samples: Self.samples) { served in
            let window = "since=2026-10-01&until=2026-10-02"
            for path in [
                "/?", "/resolver?label=quad9&", "/api/window?by=resolver&", "/api/changes?",
                "/api/resolver?label=quad9&", "/metrics?",
            ] {
                let reply = try await served.ask(path + window)
                #expect(reply.status == 200, "\(path)")
                expectHarmless(reply.body, path)
                #expect(!reply.body.contains("<img") || path.hasPrefix("/api"), "\(path)")
            }
        }
    }
}
