import Foundation
import Servers
import Testing

/// The lock that keeps the machine awake during a run. A program with the name of the system's records its
/// arguments and its end.
@Suite(.timeLimit(.minutes(1))) struct WakeLockTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: [String], _ script: String) async throws -> CommandOutput {
        try folder.writeProgram("#!/bin/sh\n\(script)\n", to: "systemd-inhibit")
        return try await Binary.run(
            arguments + [
                "--lab", "meadow", "brook", "-d", "example.com", "--no-store", "--rounds", "3",
            ]
                + ["--interval", "0s"],
            environment: ["PATH": "\(folder.path):/usr/bin:/bin"],
            in: folder.path
        )
    }

    @Test(arguments: ["compare", "watch"])
    func `a run holds the lock until its end`(command: String) async throws {
        let file = folder.file("log")
        let script =
            "trap : TERM; printf '%s ' \"$@\" > '\(file)'; cat; echo released >> '\(file)'"
        let run = try await run([command], script)
        #expect(run.code == 0, "\(run.errors)")
        let words =
            "--what=sleep:idle --who=dnstempo --why=measures DNS resolvers --mode=block cat "
        #expect(folder.text("log") == "\(words)released\n")
    }

    @Test(arguments: ["exit 1", "echo Failed to inhibit >&2; exit 1"])
    func `a refused lock changes nothing`(script: String) async throws {
        let run = try await run(["compare", "--quiet"], script)
        #expect(run.code == 0 && run.output == "" && run.errors == "")
    }

    @Test func `no lock is taken with --no-inhibit`() async throws {
        let run = try await run(["compare", "--no-inhibit"], "touch '\(folder.file("log"))'")
        #expect(run.code == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.file("log")))
    }

    @Test func `a lock that hangs does not hold up the end`() async throws {
        let run = try await run(["compare"], "exec sleep 600")
        #expect(run.code == 0)
    }
}
