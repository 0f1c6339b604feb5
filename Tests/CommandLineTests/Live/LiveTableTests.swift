import Servers
import Testing

/// The live table on a terminal that tmux emulates.
@Suite(.serialized) struct LiveTableTests {
    /// The terminal output of a program that has ended.
    private struct Screen {
        /// The lines on the screen.
        var lines: [String]
        /// The lines as the program wrote them, without line breaks at the width of the screen.
        var written: [String]
        /// All bytes that the program wrote.
        var raw: String
    }

    private func screen(
        _ command: String,
        columns: Int,
        variables: [String: String] = [:]
    ) async throws -> Screen {
        let folder = TemporaryFolder()
        let environment = Binary.environment(home: folder.path).merging(variables) { $1 }
        let tmux = try Program("tmux", package: "tmux")
        func tell(_ arguments: [String]) async throws -> String {
            let run = try await tmux.run(
                ["-S", "socket", "-f", "/dev/null"] + arguments,
                environment: environment,
                in: folder.path
            )
            #expect(run.code == 0, "\(run.errors)")
            return run.output
        }
        let script = """
            tmux -S socket pipe-pane 'cat >raw'
            echo begin
            '\(try Program.dnstempo().path)' \(command)
            echo "end $?"
            tmux -S socket wait-for -S ended
            cat

            """
        try folder.write(script, to: "script")
        let size = ["-x", "\(columns)", "-y", "24"]
        _ = try await tell(["new-session", "-d"] + size + ["sh script"])
        _ = try await tell(["wait-for", "ended"])
        // Captures all lines, including lines that have scrolled off the screen.
        let capture = ["capture-pane", "-p", "-S", "-"]
        let lines = try await tell(capture).split(separator: "\n", omittingEmptySubsequences: false)
        let joined = try await tell(capture + ["-J"])
            .split(separator: "\n", omittingEmptySubsequences: false)
        _ = try await tell(["kill-server"])
        func shown(_ lines: [Substring]) throws -> [String] {
            let begin = try #require(lines.firstIndex(of: "begin"))
            let end = try #require(lines.firstIndex { $0.hasPrefix("end 0") })
            return lines[(begin + 1)..<end].map { line in
                String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
            }
        }
        return Screen(lines: try shown(lines), written: try shown(joined), raw: folder.text("raw"))
    }

    private static let run = "compare --lab --rounds 3 -d example.com -d example.org --rate 2"

    @Test(arguments: [80, 40])
    func `the live table leaves no trace, and no line is broken`(columns: Int) async throws {
        let screen = try await screen(Self.run, columns: columns)
        // A command is on one line, so that users can paste it.
        let words = "dnstempo \(Self.run) -o charts.svg"
        let command = try #require(screen.written.firstIndex(of: words))
        #expect(screen.written[..<command].last?.hasSuffix("See the charts:") == true)
        #expect(screen.lines.starts(with: screen.written[..<command]))
        #expect(screen.lines.reversed().starts(with: screen.written[(command + 1)...].reversed()))
        // The table was visible during the run.
        #expect(screen.raw.contains("round 2 of 3"))
        #expect(!screen.lines.contains { $0.contains(/round \d of/) || $0.contains("95 % sure") })
        let first = try #require(screen.lines.first)
        #expect(first.hasPrefix("No verdict"))
        for name in ["harbour", "meadow", "brook", "cliff", "marsh", "glacier"] {
            // A rank may be in front of the name.
            let rows = screen.lines.filter { line in
                line.hasPrefix("  ") && line.split(separator: " ").prefix(2).contains { $0 == name }
            }
            #expect(rows.count == 1)
        }
    }

    @Test(arguments: [
        (options: "", variables: [:], isColoured: true),
        (options: " --no-color", variables: [:], isColoured: false),
        (options: "", variables: ["NO_COLOR": "1"], isColoured: false),
        (options: " -q", variables: [:], isColoured: false),
    ])
    func `colour depends on the terminal, its environment and --quiet`(
        options: String,
        variables: [String: String],
        isColoured: Bool
    ) async throws {
        let screen = try await screen(
            "compare --lab harbour --rounds 2 -d example.com\(options)",
            columns: 80,
            variables: variables
        )
        #expect(screen.raw.contains(/\u{1B}\[[0-9;]*m/) == isColoured)
        #expect(screen.lines.isEmpty == options.contains("-q"))
    }
}
