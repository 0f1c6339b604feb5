import Foundation
import Servers
import Testing

@Suite struct ReadmeTests {
    /// The commands of the blocks of README and guide: lines that begin with `dnstempo` or
    /// `$ dnstempo`.
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
        // Blocks that are made by a command have its output, not commands.
        let outputs = #/<!-- [a-z ]+: dnstempo [^\n]*-->\n```\n.*?```\n/#.dotMatchesNewlines()
        let text = texts.joined(separator: "\n").replacing(outputs, with: "")
        return text.split(separator: "\n").compactMap { line in
            let command = line.hasPrefix("$ ") ? line.dropFirst(2) : line[...]
            guard command.hasPrefix("dnstempo ") else { return nil }
            // What stands behind two spaces explains the command.
            return command.firstRange(of: "  ").map { String(command[..<$0.lowerBound]) }
                ?? String(command)
        }
    }()

    /// They make the store that they name.
    private static let makers = ["sample", "watch", "compare"]

    /// As a shell splits it, which single quotes keep together.
    private static func words(of command: String) -> [String] {
        let parts = command.split(separator: "'", omittingEmptySubsequences: false)
        return parts.enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    @Test func `the README has commands`() {
        #expect(Self.commands.count >= 20)
    }

    @Test(arguments: commands)
    func `a command of the README does what it says`(command: String) async throws {
        let folder = TemporaryFolder()
        var words = Array(Self.words(of: command).dropFirst())
        if words.contains("samples.csv"), words.first != "compare" {
            // A plan needs this number, also if the hour ends during the run.
            let rounds = words.first == "plan" ? "36" : "1"
            let samples = [
                "compare", "--lab", "--rounds", rounds, "-q", "--samples", "samples.csv",
            ]
            #expect(try await Binary.run(samples, in: folder.path).code == 0)
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
        let run = try await Binary.run(words, in: folder.path)
        let isCentral = words.contains { $0.hasPrefix("postgresql:") }
        if isCentral || words.first == "compare" && !words.contains("--lab") {
            // Under --allow-net it is refused before anything is sent, and so well understood.
            #expect(run.code == 64)
            #expect(run.errors.contains("is outside the allowed networks"))
        } else {
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
