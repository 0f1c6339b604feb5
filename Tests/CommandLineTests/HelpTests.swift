import Servers
import Testing

@Suite struct HelpTests {
    @Test(arguments: [
        "", "compare", "resolvers", "resolvers list", "resolvers show", "resolvers detect",
        "resolvers verify", "check",
        "export", "lab", "sample", "watch", "store", "store info", "store check", "store merge",
        "store prune", "store import", "schedule", "schedule install",
        "schedule status", "schedule remove",
        "schedule print", "chart", "report", "serve",
    ])
    func `the help is as it was last read and found good`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let run = try await Binary.run(words + ["--help"])
        #expect(run.code == 0)
        #expect(run.errors == "")
        // The parser breaks no usage line.
        let tooLong = run.output.split(separator: "\n")
            .filter { $0.count > 80 && !$0.hasPrefix("USAGE: ") }
        #expect(tooLong.isEmpty)
        #expect(try await Binary.run(["help"] + words).output == run.output)
        try Golden.expect(run.output, in: "help\(words.map { "-" + $0 }.joined()).txt")
    }

    @Test(arguments: ["", "resolvers"])
    func `a command without its subcommand shows its help`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let run = try await Binary.run(words)
        #expect(run.code == 0)
        #expect(run.output == (try await Binary.run(words + ["--help"])).output)
    }

    @Test func `the version is one line`() async throws {
        let run = try await Binary.run(["--version"])
        #expect(run.code == 0)
        #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
