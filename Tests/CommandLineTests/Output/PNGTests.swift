import Foundation
import Servers
import Testing

/// Charts in PNG files, which rsvg-convert draws.
@Suite struct PNGTests {
    private let folder = TemporaryFolder()
    private static let compare = [
        "compare", "--lab", "--rounds", "7", "--seed", "1", "--chart", "percentiles",
    ]

    /// Returns the width and height of a PNG file, from its first chunk (PNG specification, §11.2.2). Returns
    /// `nil` for other files.
    private static func size(of path: String) -> [Int]? {
        guard let octets = FileManager.default.contents(atPath: path).map(Array.init),
            octets.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
            octets.count > 24
        else { return nil }
        return [16, 20].map { start in
            octets[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    @Test func `a PNG chart has twice the width and height of the SVG chart`() async throws {
        try await Binary.succeedSilently(
            Self.compare + ["-o", "a.svg", "-o", "a.PNG", "--samples", "s.csv"],
            in: folder.path
        )
        let head = try #require(folder.text("a.svg").firstMatch(of: /width="(\d+)" height="(\d+)"/))
        let size = [head.1, head.2].compactMap { Int($0).map { 2 * $0 } }
        #expect(Self.size(of: folder.file("a.PNG")) == size)
        for words in [
            ["chart", "s.csv", "--kind", "percentiles"],
            ["report", "s.csv", "--chart", "bars"], ["report", "s.csv", "--baseline", "harbour"],
        ] {
            let run = try await Binary.run(words + ["-o", "b.png"], in: folder.path)
            #expect(run.code == 0 && run.errors == "", "\(words)")
            #expect(Self.size(of: folder.file("b.png"))?.first == 1920, "\(words)")
        }
    }

    @Test(arguments: [["compare", "--lab", "-o", "x.png"], ["chart", "no.csv", "-o", "x.png"]])
    func `a PNG without rsvg-convert fails before any query`(words: [String]) async throws {
        let run = try await Binary.run(
            words,
            environment: ["PATH": folder.file("bin")],
            in: folder.path
        )
        #expect(run.code == 73 && run.output == "")
        #expect(
            run.errors == "dnstempo: 'x.png': PNG needs rsvg-convert: install librsvg2-bin (macOS: "
                + "brew install librsvg), or write an .svg\n"
        )
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.png")))
    }

    @Test(arguments: [
        (script: "exit 3", fault: "ended with 3: it says nothing"),
        (script: "echo no; exit 0", fault: "ended with 0"),
        (script: "kill -9 $$", fault: "was ended by a signal: it says nothing"),
        (
            script: "printf 'no \\033[31mfonts' >&2; exit 1",
            fault: "ended with 1: no \\u{1B}[31mfonts"
        ),
    ])
    func `a failed converter is reported in one line`(script: String, fault: String) async throws {
        _ = try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "rsvg-convert")
        let run = try await Binary.run(
            Self.compare + ["-o", "x.png", "-o", "x.json"],
            environment: ["PATH": folder.path],
            in: folder.path
        )
        #expect(run.code == 73 && run.output == "")
        #expect(
            run.errors
                == "dnstempo: cannot write 'x.png': rsvg-convert \(fault); write an .svg instead\n"
        )
    }

    @Test func `other files are written even if the chart cannot be drawn`() async throws {
        // The converter draws its first picture, and then fails.
        let real = try Program("rsvg-convert", package: "librsvg2-bin").path
        _ = try folder.writeProgram(
            "#!/bin/sh\n[ -e drawn ] && exit 1\n: > drawn\nexec \(real) \"$@\"\n",
            to: "rsvg-convert"
        )
        let run = try await Binary.run(
            Self.compare + ["-o", "x.png", "-o", "x.json"],
            environment: ["PATH": folder.path],
            in: folder.path
        )
        #expect(run.code == 73)
        #expect(run.output.contains("brook"))
        #expect(run.errors.contains("cannot write 'x.png'"))
        #expect(folder.text("x.json").contains("dnstempo.comparison/1"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.png")))
    }
}
