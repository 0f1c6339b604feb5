import Foundation
import Servers
import Testing

/// `Scripts/setup` on a machine without any of the required packages, for a user who is not root.
@Suite struct SetupTests {
    /// Runs the script with `answer` typed at a terminal, or without a terminal. Returns its output and the
    /// commands that it ran with `sudo`.
    private func setup(_ arguments: String, answer: String?) async throws -> (CommandOutput, String)
    {
        let folder = TemporaryFolder()
        let log = folder.file("log")
        let programs = [
            "id": "echo 1000", "sudo": "echo \"$*\" >>'\(log)'", "pkg-config": "exit 1",
            "apt-get": "exit 1", "systemctl": "exit 0", "swift": "echo Swift version 6.2",
        ]
        for (name, body) in programs {
            try folder.writeProgram("#!/bin/sh\n\(body)\n", to: name)
        }
        let command = "\(InstallTests.root)/Scripts/setup \(arguments)"
        let shell =
            answer.map { "echo \($0) | script -qec '\(command)' /dev/null" }
            ?? "\(command) </dev/null"
        var environment = Binary.environment(home: "/nonexistent")
        environment["PATH"] = "\(folder.path):\(environment["PATH"] ?? "/usr/bin:/bin")"
        let run = try await Program("sh", package: "dash")
            .run(["-c", shell], environment: environment)
        return (run, (try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
    }

    @Test func `setup lists packages, and installs them only after consent`() async throws {
        let (run, asRoot) = try await setup("", answer: "n")
        #expect(run.code == 69)
        #expect(run.output.contains("setup: installing libldns-dev libsqlite3-dev"))
        #expect(run.output.contains("setup: may it do so with sudo? [y/N]"))
        #expect(run.output.contains("setup: nothing was installed"))
        #expect(asRoot == "")
    }

    @Test(arguments: [("", "y"), ("--yes", "n"), ("", nil)])
    func `setup asks for consent only on a terminal and without --yes`(
        arguments: String,
        answer: String?
    ) async throws {
        let (run, asRoot) = try await setup(arguments, answer: answer)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(asRoot.contains("apt-get install -qq -y --no-install-recommends libldns-dev"))
        #expect(run.output.contains("[y/N]") == (answer == "y"))
    }
}
