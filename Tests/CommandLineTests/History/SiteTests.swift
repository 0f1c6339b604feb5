import Foundation
import Servers
import Testing

struct SiteTests {
    /// The samples of `days` days. One resolver changes its site after half of the time.
    private static func samples(days: Int) -> String {
        var rows = [
            "run,round,scheduled,sent,vantage,resolver,endpoint,transport,name,type,outcome,rtt_ms,"
                + "timeout_ms,site"
        ]
        for round in 0..<(24 * days) {
            let time =
                "2026-10-\(String(round / 24 + 101).dropFirst())T\(String(round % 24 + 100).dropFirst()):00:"
            for query in 0..<8 {
                let resolver = query % 2
                let site = resolver == 1 ? "" : round < 12 * days ? "lon01" : "fra02"
                rows.append(
                    "r,\(round + 1),\(time)0\(query).000000Z,\(time)0\(query).000000Z,here,"
                        + "\(["near", "far"][resolver]),127.0.0.\(resolver + 1):53,udp,"
                        + "n\(query / 2).example.com,A,answered,\(resolver * 10 + 12 + query % 3).5,"
                        + "5000,\(site)"
                )
            }
        }
        return rows.joined(separator: "\n") + "\n"
    }

    private static let sentence = "At 2026-10-02 00:00 near moved from the site lon01 to fra02."

    @Test(arguments: ["s.csv", "s.sqlite"], ["timeline", "smoke"])
    func `a chart marks a change of the answering site`(file: String, kind: String) async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.samples(days: 2), to: "s.csv")
        try await Command.succeed(
            ["store", "import", "s.csv", "--store", "s.sqlite"],
            in: folder.path
        )
        let window = [
            "chart", file, "--kind", kind, "--since", "2026-10-01", "--until", "2026-10-03",
        ]
        let origin = file == "s.csv" ? [] : ["--origin", "import"]
        let drawn = try await Command.succeed(window + origin, in: folder.path)
        let words = drawn.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(Self.sentence), "\(drawn.output)")
        try await Command.succeed(window + origin + ["-o", "x.svg"], in: folder.path)
        let svg = folder.text("x.svg")
        #expect(svg.contains(">site lon01 → fra02</text>"))
        #expect(svg.components(separatedBy: "class=\"moment site\"").count == 2)
        let picture = try await Program("rsvg-convert", package: "librsvg2-bin")
            .run(["-o", folder.file("r.png"), folder.file("x.svg")])
        #expect(picture.code == 0)
    }

    @Test(arguments: [[], ["--exact"]])
    func `hourly sums and samples both show a change of the site`(exact: [String]) async throws {
        let folder = TemporaryFolder()
        try folder.write(Self.samples(days: 10), to: "s.csv")
        try await Command.succeed(
            ["store", "import", "s.csv", "--store", "s.sqlite"],
            in: folder.path
        )
        let drawn = try await Command.succeed(
            ["chart", "s.sqlite", "--since", "2026-10-01", "--until", "2026-10-12"] + exact
                + ["--origin", "import"],
            in: folder.path
        )
        let words = drawn.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("At 2026-10-06 00:00 near moved from the site lon01 to fra02."))
        #expect(words.contains("hourly sums") == exact.isEmpty, "\(drawn.output)")
    }
}
