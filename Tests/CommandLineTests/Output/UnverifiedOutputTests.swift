import Foundation
import Servers
import Testing

/// Outputs about a resolver whose certificate was never verified. All outputs mark the resolver.
@Suite struct UnverifiedOutputTests {
    /// Four weeks of rounds. meadow becomes slower, and its certificate was never verified.
    private static let samples: String? =
        try? Rounds(start: "2026-03-01T00:00:00Z", count: 1344)
        .changed(slower: 1000, by: 20, lossy: 2000)
        .split(separator: "\n").enumerated().map { index, line in
            index == 0 ? line + ",flags" : line + (line.contains(",meadow,") ? ",unverified" : ",")
        }
        .joined(separator: "\n") + "\n"

    private static let until = ["--until", "2026-03-29"]
    private static let window = ["--since", "2026-03-01"] + until

    private func withFiles(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        try folder.write(try #require(Self.samples), to: "s.csv")
        let stored = ["store", "import", "s.csv", "--store", "s.sqlite"]
        #expect(try await Binary.run(stored, in: folder.path).code == 0)
        try await body(folder)
    }

    private func isTold(_ text: String) -> Bool {
        // A line break can be at any space. In an SVG drawing, elements are between the lines.
        let words = text.replacing(#/<[^>]*>/#, with: " ").split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        return ["unverified", "certificate was verified", "verified certificate", "not verified"]
            .contains {
                words.contains($0)
            }
    }

    @Test(arguments: [
        [String](), ["--by", "hour"], ["--by", "name"], ["--by", "day", "--exact"], ["--changes"],
        ["--against", "14d"], ["--baseline", "meadow"],
        ["--baseline", "brook"],
    ])
    func `reports mark unverified resolvers in every format`(arguments: [String]) async throws {
        try await withFiles { folder in
            let files = ["r.txt", "r.csv", "r.json", "r.md", "r.html"]
            // The source is a samples file, or a store with hourly sums.
            for source in ["s.csv", "s.sqlite"] {
                if source == "s.csv", arguments.contains("--exact") { continue }
                let run = try await Binary.succeed(
                    ["report", source] + (source == "s.csv" ? [] : ["--origin", "all"])
                        + (arguments.contains("--against") ? Self.until : Self.window) + arguments
                        + files.flatMap { ["-o", $0] },
                    in: folder.path
                )
                for file in files { #expect(isTold(folder.text(file)), "\(source) \(file)") }
                #expect(isTold(run.output), "\(source) \(run.output)")
            }
        }
    }

    @Test func `a comparison of two files marks unverified resolvers`() async throws {
        try await withFiles { folder in
            for format in ["table", "csv", "json", "markdown"] {
                let run = try await Binary.run(
                    ["report", "s.csv", "--against", "s.csv", "--format", format],
                    in: folder.path
                )
                #expect(run.code == 0 && isTold(run.output), "\(format): \(run.output)")
            }
        }
    }

    @Test(arguments: ["timeline", "smoke", "heatmap", "places", "distribution", "bars", "opening"])
    func `every chart marks unverified resolvers`(kind: String) async throws {
        try await withFiles { folder in
            let chart = ["chart", "s.csv", "--kind", kind] + Self.window
            let run = try await Binary.run(chart, in: folder.path)
            #expect(run.code == 0 && isTold(run.output), "\(run.output)")
            let drawn = try await Binary.run(chart + ["-o", "c.svg"], in: folder.path)
            #expect(drawn.code == 0 && isTold(folder.text("c.svg")), "\(drawn.errors)")
        }
    }

    @Test func `every export marks unverified resolvers`() async throws {
        try await withFiles { folder in
            for arguments in [
                ["-o", "e.csv"], ["-o", "e.jsonl"], ["--rollups", "-o", "h.csv"],
                ["--rollups", "-o", "h.jsonl"], ["--layout", "matrix", "-o", "m"],
            ] {
                try await Binary.succeed(
                    ["export", "s.sqlite", "--origin", "all"] + arguments,
                    in: folder.path
                )
            }
            for file in ["e.csv", "e.jsonl", "h.csv", "h.jsonl"] {
                #expect(isTold(folder.text(file)), "\(file)")
            }
            let header = folder.text("m/example.com.tsv").split(separator: "\n").first
            #expect(header == "brook\tharbour\tmeadow (not verified)")
        }
    }

    @Test func `every page and its data mark unverified resolvers`() async throws {
        let window = "since=2026-03-01&until=2026-03-29"
        try await Binary.withServe(samples: Self.samples) { served in
            for path in [
                "/?", "/resolver?label=meadow&", "/compare?baseline=brook&candidate=meadow&",
                "/api/window?by=resolver&", "/api/window?by=hour&", "/api/changes?",
                "/api/resolver?label=meadow&", "/api/comparison?baseline=brook&candidate=meadow&",
            ] {
                let reply = try await served.ask(path + window)
                #expect(reply.status == 200 && isTold(reply.body), "\(path)")
            }
        }
    }
}
