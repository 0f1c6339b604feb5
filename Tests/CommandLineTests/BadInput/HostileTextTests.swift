import Foundation
import Servers
import Testing

/// Text from the network and from the user that contains terminal control sequences.
@Suite struct HostileTextTests {
    private let folder = TemporaryFolder()
    private static let nasty = "\u{1B}]0;pwned\u{7}\u{1B}[31m\u{9B}2J\u{202E}\r\n"

    /// An answer with the hostile text in a TXT record, an NSID (RFC 5001) and an extended error (RFC 8914).
    private static func answer(to query: ReceivedQuery) -> [UInt8] {
        let text = Array(nasty.utf8)
        let length = UInt8(text.count)
        var answer = query.answer(addresses: [])
        answer[7] = 1
        answer[11] = 1
        answer += [0xc0, 12, 0, 16, 0, 1, 0, 0, 1, 44, 0, length + 1, length] + text
        let options = [0, 3, 0, length] + text + [0, 15, 0, length + 2, 0, 22] + text
        return answer + [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, UInt8(options.count)] + options
    }

    @Test func `escape sequences reach neither terminal nor files`() async throws {
        let files = ["r.txt", "r.csv", "r.json", "r.md", "r.svg"]
        try await withResponder {
            [.reply(Self.answer(to: $0))]
        } _: { responder in
            let folder = TemporaryFolder()
            let name = "\\027[31m\\007.example"
            var arguments = [
                "compare", "\(responder.endpoint)", "-d", name, "-t", "TXT", "--nsid", "-v",
                "--rounds", "2", "--rate", "50", "--vantage", Self.nasty, "--samples", "s.csv",
                "--literal-names",
            ]
            for file in files { arguments += ["-o", file] }
            let run = try await Command.succeed(arguments, in: folder.path)
            for layout in [["-o", "s.jsonl"], ["--layout", "matrix", "-o", "tables"]] {
                try await Command.succeed(["export", "s.csv"] + layout, in: folder.path)
            }
            #expect(folder.text("s.csv").contains("pwned"))
            let texts = (files + ["s.csv", "s.jsonl"]).map(folder.text) + [run.output, run.errors]
            for text in texts {
                #expect(!text.unicodeScalars.contains(where: Self.isHostile))
            }
        }
    }

    @Test(arguments: [["list"], ["show", "nasty"]])
    func `escape sequences of a configuration reach no output`(command: [String]) async throws {
        let nasty = #""\u001b]0;pwned\u0007\u202e""#
        _ = try folder.write(
            """
            [[resolver]]
            name = "nasty"
            address = "192.0.2.1"
            filtering = \(nasty)
            dnssec = \(nasty)
            ecs = \(nasty)
            logging = \(nasty)
            note = \(nasty)

            """,
            to: "dnstempo/config.toml"
        )
        let run = try await Command.succeed(
            ["resolvers"] + command,
            environment: ["XDG_CONFIG_HOME": folder.path]
        )
        #expect(run.output.contains("pwned"))
        #expect(!run.output.unicodeScalars.contains(where: Self.isHostile))
    }

    @Test func `escape sequences of a store's name reach no output`() async throws {
        try folder.write(GeneratedSamples(run: "a", rounds: 1).text, to: "a.csv")
        let store = ["--store", "a\u{1B}[31m\u{202E}.sqlite"]
        try await Command.succeed(["store", "import", "a.csv"] + store, in: folder.path)
        for command in ["info", "check"] {
            let run = try await Command.succeed(["store", command] + store, in: folder.path)
            #expect(run.output.contains(#"a\u{1B}[31m\u{202E}.sqlite"#))
            #expect(!run.output.unicodeScalars.contains(where: Self.isHostile))
        }
    }

    /// If the program replaced bytes that are not UTF-8, a file would have a different name.
    @Test(arguments: [
        "compare --lab --rounds 1 -o @.md", "compare --lab --samples=@.csv", "compare @",
        "sample --store @", "report @.sqlite", "compare -d @", "compare --vantage @", "@", "--@",
        "serve --token-file @", "lab @.toml", "store merge @ b", "schedule install --notify @",
    ])
    func `an argument that is not UTF-8 is rejected`(command: String) async throws {
        let words = command.replacing("@", with: #"a$(printf '\377\033')b"#)
        let run = try await Program("sh", package: "dash").run(
            ["-c", "exec \"$0\" \(words)", Program.dnstempo().path],
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 64)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(run.errors.contains("a\u{FFFD}\\u{1B}b"), "\(run.errors)")
        #expect(run.errors.contains("is not text in UTF-8"))
        #expect(run.output == "")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(arguments: ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"])
    func `an environment folder that is not UTF-8 is rejected`(name: String) async throws {
        let run = try await Program("sh", package: "dash").run(
            [
                "-c", #"export \#(name)="$PWD/a$(printf '\377')"; exec "$0" "$@""#,
                Program.dnstempo().path, "sample", "127.0.0.1:9", "-d", "example.com",
            ],
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
        #expect(run.code == 64)
        #expect(run.errors == "dnstempo: \(name) is not text in UTF-8; set it to another folder\n")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// If nothing prevents it, the next opened file gets the descriptor number of the closed stream. The file
    /// then receives the stream's text.
    @Test func `no file receives the text of a closed stream`() async throws {
        for (redirection, code) in [(">&-", 74), ("2>&-", 0), ("<&- >&- 2>&-", 74)] {
            let run = try await Program("sh", package: "dash").run(
                [
                    "-c", "exec \"$0\" \"$@\" \(redirection)", Program.dnstempo().path, "compare",
                    "--lab", "--rounds", "1", "-d", "example.com", "--no-check", "--no-floor",
                    "--samples", "s.csv", "-o", "r.md",
                ],
                environment: Binary.environment(home: folder.path),
                in: folder.path
            )
            #expect(run.code == Int32(code))
            #expect(
                run.errors
                    == (redirection == ">&-"
                        ? "dnstempo: cannot write to standard output: Bad file descriptor\n" : "")
            )
            #expect(Table(folder.text("s.csv")).rows.count == 6)
            #expect(folder.text("r.md").contains("harbour"))
        }
    }

    @Test(arguments: ["--help", "--version", "help compare", "--generate-completion-script bash"])
    func `help that cannot be printed is an error`(words: String) async throws {
        let run = try await Program("sh", package: "dash").run(
            ["-c", "exec \"$0\" \(words) >/dev/full", Program.dnstempo().path]
        )
        #expect(run.code == 74)
        #expect(
            run.errors == "dnstempo: cannot write to standard output: No space left on device\n"
        )
    }

    /// An answer with an NSID of 8,000 bytes and a hundred extended errors of 100 bytes each.
    private static func longAnswer(to query: ReceivedQuery) -> [UInt8] {
        var answer = query.answer()
        answer[11] = 1
        let identifier = [0, 3, 0x1f, 0x40] + [UInt8](repeating: 0x78, count: 8000)
        let error = [0, 15, 0, 100, 0, 22] + [UInt8](repeating: 0x79, count: 98)
        let options = identifier + (0..<100).flatMap { _ in error }
        let length = [UInt8(options.count >> 8), UInt8(options.count & 0xff)]
        return answer + [0, 0, 41, 4, 208, 0, 0, 0, 0] + length + options
    }

    @Test(arguments: [false, true])
    func `a server's text is cut, its NSID is kept only on request`(isAsked: Bool) async throws {
        try await withResponder {
            [.reply(Self.longAnswer(to: $0))]
        } _: { responder in
            let folder = TemporaryFolder()
            try await Command.succeed(
                [
                    "compare", "\(responder.endpoint)", "-d", "a.example", "--rounds", "3",
                    "--rate", "50", "--samples", "s.csv", "--no-store",
                ] + (isAsked ? ["--nsid"] : []),
                in: folder.path
            )
            let rows = folder.text("s.csv").split(separator: "\n").dropFirst()
            #expect(rows.count == 3)
            for row in rows {
                let cells = row.split(separator: ",", omittingEmptySubsequences: false)
                #expect(cells[24].utf8.count == (isAsked ? 128 : 0))
                #expect(cells[25] == Array(repeating: "22", count: 16).joined(separator: " "))
            }
        }
    }

    @Test(arguments: [
        ["compare", nasty], ["compare", "-d", nasty], ["compare", "--rounds", nasty],
        ["compare", "--\(nasty)"], ["compare", "--campaign", nasty], [nasty],
        ["export", nasty], ["export", "\(nasty).csv"], ["compare", "-o", "\(nasty)/x.csv"],
    ])
    func `an error is one line without control characters`(arguments: [String]) async throws {
        let run = try await Command.run(arguments)
        #expect(run.code != 0)
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(!run.errors.unicodeScalars.contains(where: Self.isHostile))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }

    /// Returns whether a scalar is a control character, or a format character such as a change of the text's
    /// direction.
    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        isControl(scalar) || scalar.properties.generalCategory == .format
    }
}
