import Servers
import Testing

/// The program under operating-system limits that are too low.
@Suite struct LimitTests {
    private static let commands = [
        ["resolvers", "list"], ["compare", "--lab", "--rounds", "1", "-d", "example.com"],
        ["compare", "127.0.0.1:9", "--no-store", "--rounds", "1", "-d", "example.com"],
        ["sample", "127.0.0.1:9", "-d", "example.com", "--store", "s.sqlite"],
        ["watch", "127.0.0.1:9", "-d", "example.com", "--store", "s.sqlite"],
    ]

    /// Runs the program under a `limit` of the shell's `ulimit`.
    private func run(_ arguments: [String], limit: String) async throws -> CommandOutput {
        let folder = TemporaryFolder()
        return try await Program("sh", package: "dash").run(
            ["-c", "ulimit \(limit); exec \"$0\" \"$@\"", Program.dnstempo().path] + arguments,
            environment: Binary.environment(home: folder.path),
            in: folder.path
        )
    }

    @Test(arguments: 5...24)
    func `too few descriptors end the program with one line`(limit: Int) async throws {
        for command in Self.commands {
            let run = try await run(command, limit: "-n \(limit)")
            #expect(run.code == 71, "\(command)")
            #expect(run.output == "")
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(run.errors.hasPrefix("dnstempo: too few files may be open at once: raise"))
        }
    }

    @Test func `the requested number of descriptors suffices`() async throws {
        let run = try await run(Self.commands[1], limit: "-n 64")
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test(arguments: [120_000, 140_000, 160_000, 180_000, 220_000, 260_000, 300_000, 500_000])
    func `too little memory ends the program with one line`(limit: Int) async throws {
        for command in Self.commands.prefix(2) {
            let run = try await run(command, limit: "-v \(limit)")
            // Code 127 means that the dynamic loader could not load the program. The loader reports this
            // error.
            guard run.code != 127 else { continue }
            #expect(run.code == 71 || run.code == 0, "\(command): \(run.errors)")
            // The error line recommends a limit of 500,000 KB. With this limit, the program must succeed.
            guard run.code == 71, limit < 500_000 else {
                #expect(run.code == 0)
                continue
            }
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(run.errors.hasPrefix("dnstempo: too little memory may be used: raise"))
        }
    }

    @Test(arguments: [64, 128, 256, 500])
    func `a stack limit that is too low ends the program with one line`(limit: Int) async throws {
        for command in Self.commands.prefix(2) {
            let run = try await run(command, limit: "-s \(limit)")
            #expect(run.code == 71 && run.output == "", "\(command)")
            let line = "too small a stack may be used: raise the limit (ulimit -s) to 1024 or more"
            #expect(run.errors == "dnstempo: \(line)\n")
        }
    }

    @Test(arguments: ["-s 1024", "-S -s 64", "-S -s 256", "-s unlimited"])
    func `the program runs with a small stack limit, or raises it`(limit: String) async throws {
        for command in Self.commands.prefix(2) {
            let run = try await run(command, limit: limit)
            #expect(run.code == 0, "\(command): \(run.errors)")
        }
    }
}
