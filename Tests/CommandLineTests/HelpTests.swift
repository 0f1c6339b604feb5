import Fixtures
import Servers
import Testing

@Suite struct HelpTests {
    @Test(arguments: [
        "", "compare", "resolvers", "resolvers list", "resolvers show", "resolvers detect",
        "resolvers verify", "resolvers import", "resolvers import dnscrypt", "check",
        "connections",
        "export", "instrument", "lab", "plan", "sample", "watch", "store", "store info",
        "store check",
        "store merge", "store init", "store enrol", "store ship", "store remote-write",
        "store prune", "store import", "schedule", "schedule install",
        "schedule status", "schedule remove",
        "schedule print", "chart", "report", "digest", "serve",
    ])
    func `the help matches the golden files`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let run = try await Binary.succeedSilently(words + ["--help"])
        // The argument parser does not wrap usage lines.
        let tooLong = run.output.split(separator: "\n")
            .filter { $0.count > 80 && !$0.hasPrefix("USAGE: ") }
        #expect(tooLong.isEmpty)
        #expect(try await Binary.run(["help"] + words).output == run.output)
        try Golden.expect(run.output, in: "help\(words.map { "-" + $0 }.joined()).txt")
    }

    @Test func `the help of compare fits two screens, and hidden help is longer`() async throws {
        let wide = ["COLUMNS": "100"]
        let usual = try await Binary.run(["compare", "--help"], environment: wide).output
        #expect(usual.split(separator: "\n", omittingEmptySubsequences: false).count <= 90)
        let all = try await Binary.run(["compare", "--help-hidden"], environment: wide).output
        for option in ["--seed", "--pin", "--0x20", "--zone", "--allow-net", "--total-rate"] {
            #expect(all.contains(option) && !usual.contains(option), "\(option)")
        }
    }

    @Test(arguments: ["sample", "serve"])
    func `no command offers an option that it does not use`(command: String) async throws {
        let run = try await Binary.run([command, "--help-hidden"])
        for option in ["--rounds", "--duration", "--interval"] {
            #expect(!run.output.contains("\(option) "), "\(option)")
        }
    }

    @Test(arguments: ["", "resolvers"])
    func `a command without its subcommand shows its help`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let run = try await Binary.succeed(words)
        #expect(run.output == (try await Binary.run(words + ["--help"])).output)
    }

    @Test func `the version is printed in one line`() async throws {
        let run = try await Binary.succeed(["--version"])
        #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }
}
