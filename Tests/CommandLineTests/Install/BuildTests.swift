import Foundation
import Servers
import Testing

/// `Scripts/build` with a stand-in for `swift`.
@Suite struct BuildTests {
    /// Creates a folder with a program `swift` that runs the script `body` instead of a build.
    private func standIn(_ body: String) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let script = """
            #!/bin/sh
            case $1 in --version) echo Swift version 6.2; exit ;; esac
            \(body)
            """
        try folder.writeProgram(script, to: "swift")
        return folder
    }

    private func environment(_ folder: TemporaryFolder) -> [String: String] {
        var environment = Binary.environment(home: "/nonexistent")
        environment["PATH"] = "\(folder.path):\(environment["PATH"] ?? "/usr/bin:/bin")"
        environment["TERM"] = "xterm"
        return environment
    }

    private var script: String { "\(InstallTests.root)/Scripts/build" }

    @Test func `standard output contains only the path of the program`() async throws {
        let folder = try standIn("echo '[1/1] Compiling dnstempo'")
        let run = try await Program("bash", package: "bash")
            .run([script], environment: environment(folder))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == "\(InstallTests.root)/.build/release/dnstempo\n")
        #expect(!run.errors.contains("Compiling"))
    }

    @Test func `a failed build shows its messages without its steps`() async throws {
        let folder = try standIn("echo '[1/2] Compiling A'; echo 'A.swift:1: error: no'; exit 1")
        let run = try await Program("bash", package: "bash")
            .run([script], environment: environment(folder))
        #expect(run.code == 70)
        #expect(run.output == "")
        let lines = run.errors.split(separator: "\n").filter { !$0.contains("minutes") }
        #expect(
            lines == [
                "A.swift:1: error: no",
                "dnstempo could not be built: the compiler's messages are above.",
            ]
        )
    }

    @Test func `a terminal shows the progress of a build, then the next command`() async throws {
        let folder = try standIn(
            """
            echo '[7/9] Compiling A'
            read -r line <"$(dirname "$0")/gate"
            """
        )
        try #require(unsafe mkfifo(folder.file("gate"), 0o600) == 0)
        let terminal = try ChildProcess(
            Program("script", package: "bsdutils"),
            ["-qec", "\(script) dnstempo compare --lab", "/dev/null"],
            environment: environment(folder),
            output: folder.file("output"),
            errors: folder.file("errors")
        )
        let isShown = try await eventually(while: terminal) {
            folder.text("output").contains(#/Building dnstempo: 0:\d\d, step 7 of 9/#)
        }
        #expect(isShown, "\(folder.text("output"))")
        let gate = try #require(FileHandle(forWritingAtPath: folder.file("gate")))
        try gate.write(contentsOf: Data("go\n".utf8))
        try gate.close()
        #expect(await terminal.end() == .code(0))
        let last = folder.text("output").split(separator: "\u{1B}[K").last ?? ""
        let lines = last.split(separator: "\r\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(#/^Built in 0:\d\d; next: dnstempo compare --lab$/#) == true)
        #expect(lines.last == "\(InstallTests.root)/.build/release/dnstempo")
    }
}
