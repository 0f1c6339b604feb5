import Foundation
import Servers
import Testing

/// `dnstempo digest` over a store with three weeks of rounds, half an hour apart, until 2026-03-30.
@Suite struct DigestTests {
    private let folder = TemporaryFolder()

    private func write(
        _ outcome: @escaping (Rounds.Query) -> Rounds.Outcome? = { .answer(20 + $0.noise) }
    )
        async throws
    {
        let rounds = Rounds(start: "2026-03-09T00:00:00Z", count: 1008)
        try folder.write(try rounds.file(outcome), to: "a.csv")
        #expect(try await run(["store", "import", "a.csv", "--store", "a.sqlite"]).code == 0)
    }

    private func run(_ arguments: [String]) async throws -> CommandOutput {
        let path = folder.path
        return try await Command.run(
            arguments,
            environment: ["TZ": "UTC", "PATH": "\(path)/bin:/usr/bin:/bin"],
            in: path
        )
    }

    private func digest(_ options: String...) async throws -> CommandOutput {
        try await run(
            ["digest", "a.sqlite", "--origin", "import", "--until", "2026-03-30"] + options
        )
    }

    @Test func `a quiet week prints nothing with -q`() async throws {
        try await write()
        let loud = try await digest("--over", "week", "--baseline", "meadow")
        #expect(loud.code == 0)
        #expect(loud.output.hasPrefix("Week from 2026-03-23: no incident.\n- Nothing to do.\n"))
        let quiet = try await digest("--over", "week", "--baseline", "meadow", "-q", "-o", "a.json")
        #expect(quiet.code == 0)
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(folder.read("a.json")))
                as? [String: Any]
        )
        #expect(json["kind"] as? String == "digest")
        #expect(json["has_news"] as? Bool == false)
    }

    @Test func `news are printed with -q`() async throws {
        try await write { query in
            .answer((query.resolver == 1 && query.round > 800 ? 40 : 20) + query.noise)
        }
        let output = try await digest("--over", "week", "-q")
        #expect(output.output.hasPrefix("Week from 2026-03-23: 1 incident.\n"), "\(output)")
    }

    private func writeSendmail(_ script: String) throws {
        let bin = folder.file("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: false)
        try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "bin/sendmail")
    }

    @Test func `a mail goes to sendmail, and nothing is printed`() async throws {
        try await write()
        try writeSendmail(
            "echo \"$@\" > '\(folder.file("words"))'\ncat > '\(folder.file("mail"))'"
        )
        let output = try await digest("--over", "week", "--mail", "me@example.com")
        #expect(output.code == 0)
        #expect(output.output.isEmpty && output.errors.isEmpty)
        #expect(folder.text("words") == "-i me@example.com\n")
        let mail = folder.text("mail")
        #expect(
            mail.hasPrefix(
                "To: me@example.com\nSubject: dnstempo desk: Week from 2026-03-23: no incident.\n"
            )
        )
    }

    @Test func `a mail that is not taken is an error`() async throws {
        try await write()
        try writeSendmail("echo 'no route' >&2\nexit 75")
        let output = try await digest("--mail", "me@example.com")
        #expect(output.code == 74)
        #expect(output.errors.hasSuffix("bin/sendmail' did not take the mail: no route\n"))
    }

    @Test(arguments: [
        (
            ["--over", "year"],
            "--over: 'year' is not a time of at least a day; write week, month or 7d"
        ),
        (
            ["--over", "1h"],
            "--over: '1h' is not a time of at least a day; write week, month or 7d"
        ),
        (["--over", "week", "--since", "7d"], "--over and --since cannot be combined"),
        (["--mail", "a b@example.com"], "--mail: 'a b@example.com' is not one address"),
        (["--mail=-oQ/tmp"], "--mail: '-oQ/tmp' is not one address"),
        (["--mail", "a@example.com,b@example.com"], "is not one address"),
        (
            ["--mail", "a@example.com", "--format", "json"],
            "--mail and --format cannot be combined"
        ),
        (["--objective", "fast"], "--objective"),
        (["--baseline", "nobody"], "--baseline"),
    ])
    func `wrong options end with one line`(options: [String], message: String) async throws {
        try await write()
        let output = try await run(["digest", "a.sqlite"] + options)
        #expect(output.code == 64)
        #expect(output.errors.contains(message), "\(output.errors)")
        #expect(output.errors.split(separator: "\n").count == 1, "\(output.errors)")
    }
}
