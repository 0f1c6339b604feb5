import Foundation
import Servers
import Testing

@Suite(.serialized) struct BadFileTests {
    private static let large = {
        let row = String(repeating: "x", count: 70_000)
        let names = (1...10_001).map { "n\($0).test" }
        return [
            "a.csv": "resolver,name,outcome\n\(row),b.test,answered\n",
            "a.jsonl": String(repeating: row, count: 50),
            "n.txt": names.joined(separator: "\n"),
            "c.toml": """
            types = ["A", "AAAA"]
            domains = ["\(names.joined(separator: "\", \""))"]
            [[resolver]]
            name = "closed"
            address = "127.0.0.1:9"

            """,
        ]
    }()

    @Test(arguments: try BadInput.cases("outputs"))
    func `an unwritable output fails before any query`(input: BadInput) async throws {
        try await input.check()
    }

    @Test(arguments: try BadInput.cases("configurations"))
    func `an invalid campaign or profile is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }

    @Test func `every command reports the invalid line of a configuration`() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("# mine\nrate = \"fast\"\n", to: "dnstempo/config.toml")
        for command in [["compare", "--lab"], ["resolvers", "list"]] {
            let run = try await Binary.run(command, environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(run.code == 78)
            #expect(
                run.errors == "dnstempo: \(file):2: 'rate' has to be a number from 0.001 to "
                    + "1000000, not '\"fast\"'\n"
            )
            #expect(run.output == "")
        }
    }

    @Test func `serve and sample check the objective of the configuration`() async throws {
        let folder = TemporaryFolder()
        let file = try folder.write("objective = \"p95 > 5ms\"\n", to: "dnstempo/config.toml")
        for command in [["serve", "--port", "0"], ["sample", "127.0.0.1:9"]] {
            let run = try await Binary.run(
                command + ["--store", folder.file("s.sqlite")],
                environment: ["XDG_CONFIG_HOME": folder.path]
            )
            #expect(run.code == 78)
            #expect(
                run.errors == "dnstempo: \(file):1: 'objective': 'p95 > 5ms': not an objective; "
                    + "write 'p95 < 50ms' or 'answered within 100ms >= 99.5%'\n"
            )
        }
    }

    @Test(arguments: try BadInput.cases("inputs", files: large))
    func `an invalid input file is rejected with one line`(input: BadInput) async throws {
        try await input.check()
    }
}
