import Foundation
import Servers
import Testing

/// Arguments that cannot be used, in a folder with some files, and what is said about them.
struct BadInput: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var code: Int32
    /// The one line on standard error, after the program's name.
    var message: String
    /// Texts by name; a name that ends in a slash is a folder.
    var files: [String: String] = [:]
    var environment: [String: String] = [:]

    /// Splits `command` at spaces; `\_` stands for a space within an argument.
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

    /// Bad usage.
    init(_ command: String, _ message: String, files: [String: String] = [:]) {
        self.init(command, 64, message, files: files)
    }

    var testDescription: String { arguments.joined(separator: " ") }

    /// Runs it: one line, the right code, nothing on standard output, and no file more or less;
    /// the folder of the files is the home too where it `isHome`.
    func check(isHome: Bool = false) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
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
        let run = try await Command.run(
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
