import Fixtures
import Foundation
import Servers
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Charts of samples, drawn by the built program.
@Suite struct ChartTests {
    private static let kinds = [
        "timeline", "smoke", "heatmap", "places", "distribution", "percentiles", "bars",
    ]
    private static let window = ["--since", "2026-10-20", "--until", "2026-11-01"]

    /// Twelve days with a round every half hour. On one of these days, clocks in Berlin are set back an hour.
    private static let samples: String = {
        var rows = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,series,name,type,"
                + "outcome,rcode,rtt_ms,timeout_ms"
        ]
        for round in 0..<576 where !(200..<260).contains(round) {
            let day = 20 + round / 48
            let time = [round / 2 % 24, round % 2 * 30].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let moment = "2026-10-\(day)T\(time[0]):\(time[1]):00.000000Z"
            for (number, label) in ["meadow", "brook", "cliff"].enumerated() {
                let isLost = label == "cliff" && round % 20 == 3
                let milliseconds = 10 + number * 4 + (round * 7 + number) % 5
                rows.append(
                    "r1,\(round + 1),\(moment),\(moment),desk,\(label),192.0.2.\(number + 1):53,"
                        + "udp,cached,example.com,A,"
                        + (isLost ? "timeout,,,5000" : "answered,NOERROR,\(milliseconds).5,5000")
                )
            }
        }
        return rows.joined(separator: "\n") + "\n"
    }()

    private func folder(withStore: Bool = true) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(Self.samples, to: "samples.csv")
        if withStore {
            try await Binary.succeedSilently(
                ["store", "import", "samples.csv", "--store", "s.sqlite"],
                in: folder.path
            )
        }
        return folder
    }

    private func chart(
        _ arguments: [String],
        in folder: TemporaryFolder
    ) async throws -> CommandOutput {
        try await Binary.run(
            ["chart"] + arguments,
            environment: ["TZ": "Europe/Berlin", "COLUMNS": "100"],
            in: folder.path
        )
    }

    private func isWellFormed(_ text: String) -> Bool {
        XMLParser(data: Data(text.utf8)).parse()
    }

    @Test(arguments: kinds)
    func `a chart of a store is a well-formed SVG file`(kind: String) async throws {
        let folder = try await folder()
        let run = try await chart(
            ["s.sqlite", "--kind", kind, "--origin", "import", "-o", "c.svg"] + Self.window,
            in: folder
        )
        #expect(run.code == 0 && run.errors == "" && run.output == "")
        let picture = folder.text("c.svg")
        #expect(isWellFormed(picture))
        #expect(picture.utf8.count < 200_000)
        for label in ["meadow", "brook", "cliff"] { #expect(picture.contains(label)) }
        let words = picture.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(words.contains("1542 queries in 514 rounds from desk, 2026-10-20 00:00 to 2026-11"))
        #expect(words.contains("2026-10-25 has 25 hours"))
    }

    @Test(arguments: kinds)
    func `a chart of a samples file matches the golden file`(kind: String) async throws {
        let folder = try await folder(withStore: false)
        let run = try await chart(["samples.csv", "--kind", kind], in: folder)
        #expect(run.code == 0 && run.errors == "")
        #expect(!run.output.contains("\u{1B}"))
        try Golden.expect(run.output, in: "chart-\(kind).txt")
    }

    @Test func `a folder as output gets one file per resolver`() async throws {
        let folder = try await folder()
        let run = try await chart(
            ["s.sqlite", "--origin", "all", "-o", "charts/"] + Self.window,
            in: folder
        )
        #expect(run.code == 0 && run.errors == "" && run.output == "")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("charts"))
        #expect(names.sorted() == ["brook.svg", "cliff.svg", "meadow.svg"])
        for name in names {
            let picture = folder.text("charts/\(name)")
            #expect(isWellFormed(picture))
            #expect(picture.contains("-title\">\(name.dropLast(4)): median "))
        }
    }

    @Test func `a label with path characters writes no file elsewhere`() async throws {
        let folder = TemporaryFolder()
        let samples = Self.samples.replacing(",meadow,", with: ",../../brook,")
        try folder.write(samples, to: "samples.csv")
        let run = try await chart(["samples.csv", "-o", "charts/"], in: folder)
        #expect(run.code == 0 && run.errors == "")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("charts"))
        #expect(names.sorted() == ["%2E.%2F..%2Fbrook.svg", "brook.svg", "cliff.svg"])
    }

    @Test func `a chart can be written to standard output`() async throws {
        let folder = try await folder(withStore: false)
        let run = try await chart(["samples.csv", "-o", "-", "--resolver", "cliff"], in: folder)
        #expect(run.code == 0 && run.errors == "")
        #expect(isWellFormed(run.output))
        #expect(!run.output.contains("meadow"))
    }

    @Test func `a window without rounds is reported and drawn as empty`() async throws {
        let folder = try await folder()
        let arguments = ["s.sqlite", "--since", "2020-01-01", "--until", "2020-02-01"]
        let run = try await chart(arguments + ["-o", "c.svg"], in: folder)
        #expect(run.code == 0 && run.output == "")
        #expect(run.errors.hasPrefix("dnstempo: nothing was measured in this window. There are "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(isWellFormed(folder.text("c.svg")))
        let shown = try await chart(arguments, in: folder)
        #expect(shown.code == 0)
        #expect(shown.output.hasPrefix("Nothing was measured from 2020-01-01 00:00 to 2020-02-01"))
        let each = try await chart(arguments + ["-o", "charts/"], in: folder)
        #expect(each.code == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("charts")))
    }

    @Test(arguments: try BadInput.cases("chart", files: ["s.csv": samples]))
    func `an impossible chart is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }
}
