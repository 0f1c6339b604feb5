import Fixtures
import Foundation
import Servers
import Testing

/// Outputs of commands that measure, and the rules of the option itself.
@Suite struct RedactedRunTests {
    private static let values = [
        "secretvantage", "secretname", "secretrouter", "secretfolder", "secretuser",
    ]

    /// Commands whose resolver refuses all queries, with the values that they show without redaction.
    static let runs: [(words: [String], suffixes: [String], shown: [String])] = [
        (
            [
                "compare", "secretrouter=127.0.0.1:1", "--vantage", "secretvantage", "-d",
                "secretname.example", "--rounds", "2", "--no-store", "--timeout", "100ms",
                "--samples", "OUT/samples.csv", "--evidence", "OUT/bundle",
            ],
            ["txt", "csv", "json", "md", "svg", "html"],
            ["secretvantage", "secretname", "secretrouter", "secretfolder"]
        ),
        (
            ["check", "secretrouter=127.0.0.1:1", "--timeout", "100ms"],
            ["txt", "json", "html"], ["secretrouter", "secretfolder"]
        ),
        (
            [
                "connections", "secretrouter=127.0.0.1:1", "--transport", "tcp", "--up-to", "1s",
                "--timeout", "100ms", "-d", "secretname.example", "--handshakes", "1",
            ],
            ["txt", "csv", "json", "md", "html"], ["secretrouter", "secretfolder"]
        ),
        (
            ["instrument", "--duration", "1s", "--vantage", "secretvantage"],
            ["txt", "json", "md", "html"], ["secretvantage"]
        ),
    ]

    private func run(
        _ words: [String],
        _ suffixes: [String],
        isRedacted: Bool
    ) async throws -> String {
        let folder = TemporaryFolder()
        let place = folder.file("secretfolder")
        try FileManager.default.createDirectory(
            atPath: place,
            withIntermediateDirectories: true
        )
        let given = words.map { $0.replacing("OUT", with: place) }
        let run = try await Binary.run(
            given + suffixes.flatMap { ["-o", "\(place)/report.\($0)"] }
                + (isRedacted ? ["--redact"] : []),
            environment: ["USER": "secretuser"]
        )
        #expect([0, 69].contains(run.code), "\(words): \(run.errors)")
        return run.output + (try RedactedValues.contents(of: place))
    }

    @Test(arguments: runs)
    func `no output of a redacted run contains a removed value`(
        words: [String],
        suffixes: [String],
        shown: [String]
    ) async throws {
        let text = try await run(words, suffixes, isRedacted: true)
        for value in Self.values {
            let place = text.lowercased().firstRange(of: value)
            #expect(place == nil, "\(value) in the output of \(words)")
        }
        #expect(text.contains("\"redacted\": true"))
        let control = try await run(words, suffixes, isRedacted: false)
        for value in shown { #expect(control.contains(value), "\(value)") }
    }

    @Test(arguments: [true, false])
    func `a redacted bundle is checked against its samples`(keepsNames: Bool) async throws {
        let folder = TemporaryFolder()
        let measured = try await Binary.run(
            ["compare", "--lab", "--rounds", "4", "--no-store", "-q", "--vantage", "secretvantage"]
                + ["-d", "secretname.example", "--redact", "--evidence", "bundle"]
                + (keepsNames ? ["--keep-names"] : []),
            in: folder.path
        )
        #expect(measured.code == 0, "\(measured.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("bundle"))
        #expect(
            files.sorted() == ["comparison.json", "context.json", "redacted.json", "samples.csv"]
        )
        let contents = try RedactedValues.contents(of: folder.file("bundle"))
        #expect(!contents.contains("secretvantage"))
        #expect(contents.contains("secretname") == keepsNames)
        let sound = try await Binary.run(["report", "--recompute", "bundle"], in: folder.path)
        #expect(sound.code == 0, "\(sound.errors)")
        #expect(
            sound.errors.contains("the bundle is redacted and has no messages; ")
                && sound.errors.contains("the report is that of 'bundle/comparison.json'")
        )
        let line = "Redacted: \(keepsNames ? "" : "names, ")private addresses"
        #expect(sound.output.contains(line))
        let samples = folder.text("bundle/samples.csv")
        let row = try #require(samples.split(separator: "\n").dropFirst().first)
        try folder.write(samples.replacing("\(row)\n", with: ""), to: "bundle/samples.csv")
        let changed = try await Binary.run(["report", "--recompute", "bundle"], in: folder.path)
        #expect(changed.code == 1)
        #expect(
            changed.errors.contains("'bundle/comparison.json' differs from the samples"),
            "\(changed.errors)"
        )
    }

    @Test(arguments: [
        (
            ["report", "x.csv", "--keep-names"],
            "--keep-names keeps the names of a redacted output: add --redact, or leave it out"
        ),
        (
            ["report", "--recompute", "bundle", "--redact"],
            "--redact and --recompute cannot be combined, because it lists the differences"
        ),
        (
            ["report", "--by", "label:country", "--redact"],
            "--redact and --by label:KEY cannot be combined, because the labels of places"
        ),
    ])
    func `a combination that cannot be redacted is rejected in one line`(
        words: [String],
        message: String
    ) async throws {
        let run = try await Binary.run(words)
        #expect(run.code == 64)
        #expect(run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    /// Commands without outputs about measurements that users share: their outputs are about a store, the
    /// catalogue or formats. A watch writes evidence only.
    private static let exempt: Set = [
        "watch", "store info", "store check", "store import", "resolvers verify", "formats",
    ]

    @Test func `every command with an output to share can be redacted`() async throws {
        let dump = try await Binary.succeed(["--experimental-dump-help"])
        let description = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8))
        var checked = 0
        for (name, options) in description.command.options(below: "") {
            let writes = !options.isDisjoint(with: ["output", "format", "samples", "evidence"])
            guard writes, !Self.exempt.contains(name) else { continue }
            #expect(options.isSuperset(of: ["redact", "keep-names"]), "\(name)")
            checked += 1
        }
        #expect(checked >= 9)
    }
}

/// The parser's description of the commands.
private struct Description: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            var name: String
        }

        var names: [Name]?
    }

    struct Command: Decodable {
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        func options(below path: String) -> [(name: String, options: Set<String>)] {
            let names = (arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)
            let own = [(name: path, options: Set(names))]
            return own
                + (subcommands ?? []).flatMap { command in
                    let name = command.commandName
                    return command.options(below: path.isEmpty ? name : "\(path) \(name)")
                }
        }
    }

    var command: Command
}
