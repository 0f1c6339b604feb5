import Servers
import Testing

/// A terminal, emulated by tmux, in which dnstempo runs. Tests wait for lines on the screen.
struct TerminalWindow {
    private let tmux: Program
    private let server: ChildProcess
    private let environment: [String: String]
    private let folder: TemporaryFolder

    /// Runs `body` while `dnstempo` runs with `arguments` in a window of this size. Ends all processes
    /// afterwards.
    static func with<Result>(
        _ arguments: String,
        columns: Int,
        rows: Int,
        variables: [String: String] = [:],
        _ body: (TerminalWindow) async throws -> Result
    ) async throws -> Result {
        let folder = TemporaryFolder()
        let environment = Binary.environment(home: folder.path)
        let tmux = try Program("tmux", package: "tmux")
        // The server runs in the foreground, so that it ends with the test.
        let server = try tmux.start(
            ["-S", "socket", "-f", "/dev/null", "-D"],
            environment: environment,
            in: folder.path,
            files: folder
        )
        let window = TerminalWindow(
            tmux: tmux,
            server: server,
            environment: environment,
            folder: folder
        )
        do {
            try await window.open(arguments, columns: columns, rows: rows, variables)
            let result = try await body(window)
            try await window.close()
            return result
        } catch {
            try await window.close()
            throw error
        }
    }

    /// The lines on the screen, without empty lines at the end.
    func lines() async throws -> [String] {
        let text = try await tell("capture-pane", "-p").output
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .reversed().drop { $0.isEmpty }.reversed()
    }

    /// All bytes that the program wrote.
    var raw: String { folder.text("raw") }

    /// Waits until the lines on the screen fulfil a condition, and returns the lines. Throws after a minute.
    @discardableResult
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: ([String]) throws -> Bool
    ) async throws -> [String] {
        var lines: [String] = []
        let isMet = try await eventually {
            lines = try await self.lines()
            return try condition(lines)
        }
        try #require(isMet, "\(lines)", sourceLocation: sourceLocation)
        return lines
    }

    func resize(columns: Int, rows: Int) async throws {
        let run = try await tell("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        #expect(run.code == 0, "\(run.errors)")
    }

    /// Closes the window, so that the program loses its terminal.
    func closeWindow() async throws {
        // Another session keeps the server running.
        _ = try await tell("new-session", "-d", "-s", "other", "cat")
        let run = try await tell("kill-window", "-t", "0:0")
        #expect(run.code == 0, "\(run.errors)")
    }

    /// The text of a file that the program wrote.
    func file(_ name: String) -> String { folder.text(name) }

    /// Presses keys. tmux defines the names of the keys.
    func press(_ keys: String...) async throws { _ = try await tell(["send-keys"] + keys) }

    private func open(
        _ arguments: String,
        columns: Int,
        rows: Int,
        _ variables: [String: String]
    ) async throws {
        let exports = variables.map { "export \($0.key)='\($0.value)'\n" }.joined()
        let script = """
            tmux -S socket pipe-pane 'cat >raw'
            \(exports)trap : INT
            echo begin
            '\(try Program.dnstempo().path)' \(arguments)
            echo "end $?"
            cat

            """
        try folder.write(script, to: "script")
        let size = ["-x", "\(columns)", "-y", "\(rows)"]
        // The server needs a moment until it listens.
        var errors = ""
        let isOpen = try await eventually(while: server) {
            let run = try await tell(["-N", "new-session", "-d"] + size + ["sh script"])
            errors = run.errors
            return run.code == 0
        }
        try #require(isOpen, "\(errors)")
    }

    private func close() async throws {
        _ = try await tell("kill-server")
        await server.stop()
    }

    private func tell(_ arguments: String...) async throws -> CommandOutput {
        try await tell(arguments)
    }

    private func tell(_ arguments: [String]) async throws -> CommandOutput {
        try await tmux.run(["-S", "socket"] + arguments, environment: environment, in: folder.path)
    }
}
