import Foundation
import Servers
import Testing

@Suite struct ReadmeTests {
    /// The commands in the code blocks of the README and the guide: lines that begin with `dnstempo`, `$
    /// dnstempo` or four spaces and `dnstempo`.
    private static let commands: [String] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = "data/docs/guide"
        let pages = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(guide).path
        )
        let names = (pages ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "\(guide)/\($0)" }
        let texts = (["README.md"] + names).map { name in
            (try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)) ?? ""
        }
        // Generated blocks contain the output of a command. They contain no commands.
        let outputs = #/<!-- [a-z ]+: (?:dnstempo|sqlite3|cat) [^\n]*-->\n```\n.*?```\n/#
            .dotMatchesNewlines()
        let text = texts.joined(separator: "\n").replacing(outputs, with: "")
        var isInBlock = false
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isInBlock.toggle() }
            // A sentence can also begin with the name of the program. Such a line is in no block.
            guard isInBlock || line.hasPrefix("    ") else { return nil }
            let mark = ["$ ", "    "].first { line.hasPrefix($0) } ?? ""
            let command = line.dropFirst(mark.count)
            guard command.hasPrefix("dnstempo ") else { return nil }
            // The text after two spaces is an explanation of the command.
            return command.firstRange(of: "  ").map { String(command[..<$0.lowerBound]) }
                ?? String(command)
        }
    }()

    /// The commands that create a missing store.
    private static let makers = ["sample", "watch", "compare"]

    /// Splits a command like a shell: text within single quotes is one word.
    private static func words(of command: String) -> [String] {
        let parts = command.split(separator: "'", omittingEmptySubsequences: false)
        return parts.enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test func `the README has commands`() {
        #expect(Self.commands.count >= 20)
    }

    /// Writes the programs that receive notices and mail. Returns the variables of the command.
    private func prepare(
        _ words: inout [String],
        in folder: TemporaryFolder
    ) throws -> [String: String] {
        if let program = words.firstIndex(of: "--notify"), words[program + 1] != "desktop" {
            words[program + 1] = try folder.writeProgram("#!/bin/sh\n", to: "tell-me")
        }
        guard words.contains("--mail") else { return [:] }
        try folder.writeProgram("#!/bin/sh\ncat > /dev/null\n", to: "sendmail")
        return ["PATH": "\(folder.path):/usr/bin:/bin"]
    }

    @Test(arguments: commands)
    func `a command of the README succeeds`(command: String) async throws {
        let folder = TemporaryFolder()
        var words = Array(Self.words(of: command).dropFirst())
        if words.contains("samples.csv"), words.first != "compare" {
            // `plan` needs 36 rounds. This number also suffices if a new hour begins during the run.
            let rounds = words.first == "plan" ? "36" : "1"
            let samples = [
                "compare", "--lab", "--rounds", rounds, "-q", "--samples", "samples.csv",
            ]
            #expect(try await Binary.run(samples, in: folder.path).code == 0)
        }
        if words.contains("queries.csv") {
            try folder.write("time,name\n0,a.example\n", to: "queries.csv")
        }
        if words.contains("--recompute") {
            let evidence = ["compare", "--lab", "--rounds", "1", "-q", "--evidence", "bundle"]
            #expect(try await Binary.run(evidence, in: folder.path).code == 0)
        }
        if words.contains("results.json"), words.first != "export" {
            let results = folder.file("results.json")
            try FileManager.default.copyItem(atPath: AtlasTests.results, toPath: results)
        }
        for store in words where store.hasSuffix(".sqlite") && !Self.makers.contains(words[0]) {
            let sample = ["sample", "--lab", "--store", store]
            #expect(try await Binary.run(sample, in: folder.path).code == 0)
        }
        if words.first == "compare", words.contains("--lab") {
            if let rounds = words.firstIndex(of: "--rounds") {
                words.removeSubrange(rounds...rounds + 1)
            }
            words += ["--rounds", "1"]
        }
        // `print` takes the options of `install`, and changes no crontab.
        if words.starts(with: ["schedule", "install"]) { words[1] = "print" }
        let environment = try prepare(&words, in: folder)
        // The stores of this test contain no nameserver of this machine.
        if words.first == "report", let label = words.firstIndex(of: "system") {
            words[label] = "harbour"
        }
        let isRemoteWrite = words.starts(with: ["store", "remote-write"])
        if isRemoteWrite {
            try await Binary.succeed(["sample", "--lab", "--store", "lab.sqlite"], in: folder.path)
            words += ["--store", "lab.sqlite"]
        }
        try await expectSuccess(of: words, isRemoteWrite, environment, in: folder)
    }

    private func expectSuccess(
        of words: [String],
        _ isRemoteWrite: Bool,
        _ environment: [String: String],
        in folder: TemporaryFolder
    ) async throws {
        let run = try await Binary.run(words, environment: environment, in: folder.path)
        // `schedule` prints the entry without a look at the nameservers of this machine.
        let isSystem = words.first == "schedule" && run.code == 0
        let isMeasuring =
            ["compare", "connections", "watch", "sample", "serve", "schedule"].contains(words[0])
        let isCentral = words.contains { $0.hasPrefix("postgresql:") }
        if isRemoteWrite {
            #expect(run.code == 75)
            #expect(run.errors.contains("cannot be reached"))
        } else if isCentral || isMeasuring && !words.contains("--lab") && !isSystem {
            // The allowed networks exclude the resolver. The rejection before any query shows that the
            // command is valid.
            #expect(run.code == 64)
            #expect(run.errors.contains("is outside the allowed networks"))
        } else {
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
