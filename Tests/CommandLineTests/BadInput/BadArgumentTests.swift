import Foundation
import Servers
import Testing

@Suite(.serialized) struct BadArgumentTests {
    @Test(arguments: try BadInput.cases("unused"))
    func `an option that would be ignored is rejected`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `repeatable options may be repeated`() async throws {
        try await Binary.succeed(
            ["compare", "--lab", "meadow", "-d", "a.test", "-d", "b.test", "-t", "A", "-t", "AAAA"]
                + ["--rounds", "1", "--fail-if", "p95 > 4s", "--fail-if", "loss > 99%", "-q"]
        )
    }

    /// `RepeatedOptions` skips these options, because they accept several values in every command.
    @Test func `options that take several values take them in every command`() async throws {
        struct Description: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable { var name: String }
                var isRepeating: Bool
                var names: [Name]?
            }
            var arguments: [Argument]?
            var subcommands: [Description]?
            var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
        }
        struct Program: Decodable { var command: Description }
        let run = try await Binary.run(["--experimental-dump-help"])
        let program = try JSONDecoder().decode(Program.self, from: Data(run.output.utf8))
        for name in [
            "d", "domain", "t", "type", "source", "expect", "zone", "pin", "edns-option", "notify",
        ] {
            let found = program.command.all.filter {
                $0.names?.contains { $0.name == name } == true
            }
            #expect(!found.isEmpty && found.allSatisfy(\.isRepeating), "\(name)")
        }
    }

    @Test(arguments: try BadInput.cases("parsing"))
    func `an invalid command line is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("numbers"))
    func `a number out of range is rejected with the range`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("questions"))
    func `an impossible question is rejected`(input: BadInput) async throws {
        try await input.check()
    }
}
