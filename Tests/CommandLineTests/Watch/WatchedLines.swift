import Servers
import Testing

/// What a watch that runs has printed so far: tests wait for its lines, not for time.
struct WatchedLines {
    let process: ChildProcess
    let folder: TemporaryFolder

    /// Whole lines of standard output.
    var output: [String] { lines("output") }
    /// Whole lines of standard error.
    var errors: [String] { lines("errors") }

    /// The numbers of the rounds that were announced as stored.
    var stored: [Int] {
        output.filter { $0.hasPrefix("round ") && $0.hasSuffix("; stored") }
            .compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    }

    /// Waits until a condition holds of what was printed; it is an issue where the watch ended, or
    /// a minute went by, before it did.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (WatchedLines) throws -> Bool
    ) async throws {
        let isMet = try await eventually(while: process) { try condition(self) }
        try #require(isMet, "\(errors) \(output.suffix(3))", sourceLocation: sourceLocation)
    }

    private func lines(_ name: String) -> [String] {
        var lines = folder.text(name).split(separator: "\n", omittingEmptySubsequences: false)
        // What has no end yet is no line.
        lines.removeLast()
        return lines.map(String.init)
    }
}

extension Binary {
    /// Runs `body` beside a watch of `resolvers`, a round as often as the pace allows.
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
