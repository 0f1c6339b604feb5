import Foundation
import Servers
import Testing

/// A command line that the program rejects, its files, and the expected error.
struct BadInput: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var code: Int32
    /// The only line on standard error, without the program's name.
    var message: String
    /// The texts of the files by file name. A name that ends in a slash is the name of a folder.
    var files: [String: String] = [:]
    var environment: [String: String] = [:]

    /// Splits `command` at spaces. `\_` is a space within an argument.
    init(
        _ command: String,
        _ code: Int32,
        _ message: String,
        files: [String: String] = [:],
        environment: [String: String] = [:]
    ) {
        arguments = command.split(separator: " ", omittingEmptySubsequences: false).map {
            String($0).replacing("\\_", with: " ")
        }
        self.code = code
        self.message = message
        self.files = files
        self.environment = environment
    }

    /// A command line that the program rejects as wrong usage (exit code 64).
    init(_ command: String, _ message: String, files: [String: String] = [:]) {
        self.init(command, 64, message, files: files)
    }

    /// Reads the cases from a file in the folder Cases. A case has the lines `$ COMMAND` and `CODE MESSAGE`.
    /// Each file adds a line `< NAME: TEXT`. Each environment variable adds a line `= NAME=VALUE`. If a file
    /// line has no text, the file contains the text in `files`, or is empty. In a command, `''` is an empty
    /// argument and `\e` is the escape character. In a text, `\n` is the end of a line.
    static func cases(_ name: String, files: [String: String] = [:]) throws -> [BadInput] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Cases/\(name).txt")
        var cases: [BadInput] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let rest = line.dropFirst(2)
            switch line.prefix(2) {
            case "$ ":
                cases.append(BadInput(String(rest.replacing("\\e", with: "\u{1b}")), 0, ""))
                cases[cases.count - 1].arguments.replace(["''"], with: [""])
            case "< ":
                let parts = rest.split(separator: ": ", maxSplits: 1).map(String.init)
                let text = parts.count > 1 ? unescaped(parts[1]) : files[parts[0]] ?? ""
                cases[cases.count - 1].files[parts[0]] = text
            case "= ":
                let parts = rest.split(separator: "=", maxSplits: 1).map(String.init)
                cases[cases.count - 1].environment[parts[0]] = parts[1]
            default:
                let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
                cases[cases.count - 1].code = try #require(Int32(parts[0]))
                cases[cases.count - 1].message = parts[1]
            }
        }
        return cases
    }

    private static func unescaped(_ text: String) -> String {
        text.components(separatedBy: "\\\\").map { $0.replacing("\\n", with: "\n") }
            .joined(separator: "\\")
    }

    var testDescription: String { arguments.joined(separator: " ") }

    /// Runs the command. Expects one error line, the exit code, an empty standard output, and the same files
    /// as before. If `isHome` is true, the folder of the files is also the home folder.
    func check(isHome: Bool = false) async throws {
        let folder = TemporaryFolder()
        for name in files.keys.sorted() {
            if name.hasSuffix("/") {
                try FileManager.default.createDirectory(
                    atPath: folder.file(name),
                    withIntermediateDirectories: true
                )
            } else {
                try folder.write(files[name] ?? "", to: name)
            }
        }
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let home = isHome ? ["HOME": folder.path] : [:]
        let run = try await Binary.run(
            arguments,
            environment: environment.merging(home) { $1 },
            in: folder.path
        )
        #expect(run.status == .code(code))
        #expect(run.errors == "dnstempo: \(message)\n")
        #expect(run.output == "")
        let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        #expect(after == before)
    }
}
