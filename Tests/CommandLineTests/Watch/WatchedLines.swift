import Servers
import Testing

/// The lines that a running watch has printed. Tests wait for these lines instead of a fixed time.
struct WatchedLines {
    let process: ChildProcess
    let folder: TemporaryFolder

    /// The complete lines of standard output.
    var output: [String] { lines("output") }
    /// The complete lines of standard error.
    var errors: [String] { lines("errors") }

    /// The numbers of the rounds that the watch has announced as stored.
    var stored: [Int] {
        output.filter { $0.hasPrefix("round ") && $0.hasSuffix("; stored") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    }

    /// Waits until the printed lines fulfil a condition. Throws after a minute, or if the watch ends first.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (WatchedLines) throws -> Bool
    ) async throws {
        let isMet = try await eventually(while: process) { try condition(self) }
        try #require(isMet, "\(errors) \(output.suffix(3))", sourceLocation: sourceLocation)
    }

    private func lines(_ name: String) -> [String] {
        var lines = folder.text(name).split(separator: "\n", omittingEmptySubsequences: false)
        // The last element is an incomplete line, or empty.
        lines.removeLast()
        return lines.map(String.init)
    }
}

extension Binary {
    /// Runs `body` while a watch runs with `arguments`. By default, the watch has a round every 50 ms.
    static func withWatch<Result>(
        _ arguments: [String],
        environment: [String: String] = [:],
        _ body: (WatchedLines) async throws -> Result
    ) async throws -> Result {
        try await withRunning(
            ["watch", "-d", "example.com", "--rate", "100"]
                + (arguments.contains("--interval") ? [] : ["--interval", "50ms"]) + arguments,
            environment: environment
        ) { process, folder in
            try await body(WatchedLines(process: process, folder: folder))
        }
    }
}
