import Foundation
import Processes
import Servers
import Testing

@testable import dnstempo

/// Runs commands of dnstempo within the process of the tests. Tests of standard input, signals, limits or the
/// process's arguments use `Binary` instead.
enum Command {
    /// Runs a command to its end, with its own home folder. The variables in `environment` are added to
    /// ``Binary/environment(home:)``, or replace variables there.
    ///
    /// Relative file paths are paths within `folder`. The path of `folder` is removed from the output.
    static func run(
        _ words: [String],
        environment: [String: String] = [:],
        in folder: String? = nil
    ) async throws -> CommandOutput {
        let home = TemporaryFolder()
        let variables = Binary.environment(home: home.path).merging(environment) { $1 }
        let capture = CapturedOutput()
        let words = folder.map { placed(words, in: $0) } ?? words
        let code = await Dnstempo.run(words, environment: variables, output: capture)
        Documents.keep(capture.bytes(of: .output), of: words)
        func text(_ terminal: Terminal) -> String {
            let text = String(decoding: capture.bytes(of: terminal), as: UTF8.self)
            return folder.map { text.replacing("\($0)/", with: "") } ?? text
        }
        return CommandOutput(
            status: .code(code),
            bytes: Array(text(.output).utf8),
            errors: text(.error)
        )
    }

    /// Runs a command to its end and expects success.
    @discardableResult
    static func succeed(
        _ words: [String],
        environment: [String: String] = [:],
        in folder: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandOutput {
        try await run(words, environment: environment, in: folder).succeeded(location)
    }

    /// Runs a command to its end. Expects success and an empty standard error.
    @discardableResult
    static func succeedSilently(
        _ words: [String],
        environment: [String: String] = [:],
        in folder: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandOutput {
        try await run(words, environment: environment, in: folder)
            .succeeded(location, isSilent: true)
    }

    private static let suffixes: Set<String> = [
        "csv", "html", "json", "jsonl", "md", "pem", "png", "sqlite", "svg", "toml", "txt",
    ]

    private static func placed(_ words: [String], in folder: String) -> [String] {
        zip([""] + words, words).map { before, word in
            let isOutput = ["-o", "--output", "--evidence"].contains(before) && word != "-"
            return isOutput && !word.hasPrefix("/")
                ? "\(folder)/\(word)" : placed(word, in: folder)
        }
    }

    /// Adds the path of `folder` in front of a word, or of an option's value, if it is a file name. Returns
    /// other words unchanged.
    private static func placed(_ word: String, in folder: String) -> String {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        if word.hasPrefix("--"), parts.count == 2 {
            return "\(parts[0])=\(placed(parts[1], in: folder))"
        }
        let isFile =
            word.split(separator: ".").last.map { suffixes.contains(String($0)) } == true
            && word.contains(".")
        guard !word.hasPrefix("-"), !word.hasPrefix("/"), !word.contains(":"),
            isFile || FileManager.default.fileExists(atPath: "\(folder)/\(word)")
        else { return word }
        return "\(folder)/\(word)"
    }
}
