import Foundation
import Servers
import Testing

/// Configurations with which every round would fail. `schedule install` rejects them.
struct ScheduleRefusalTests {
    private func refusal(in sandbox: ScheduleSandbox) async throws -> String {
        let output = try await sandbox.run("install", "127.0.0.1")
        #expect(output.code == 64 && output.output == "")
        #expect(sandbox.tab == nil)
        return output.errors
    }

    @Test func `a list with too many names for a round is rejected`() async throws {
        let sandbox = try ScheduleSandbox()
        let names = (0...10_000).map { "n\($0).test\n" }.joined()
        try sandbox.folder.write(names, to: "names.txt")
        try sandbox.folder.write("domains = \"names.txt\"\n", to: ".config/dnstempo/config.toml")
        #expect(
            try await refusal(in: sandbox)
                == "dnstempo: 10001 names in 1 type are more than the 10000 questions that a round "
                + "may have: take fewer\n"
        )
    }

    @Test func `a central store in the configuration is rejected`() async throws {
        let sandbox = try ScheduleSandbox()
        try sandbox.folder.write(
            "store = \"postgresql://db.test/dns\"\n",
            to: ".config/dnstempo/config.toml"
        )
        let refusal = try await refusal(in: sandbox)
        #expect(refusal.hasPrefix("dnstempo: 'postgresql://db.test/dns' is a central store, and"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.file("postgresql:")))
    }
}
