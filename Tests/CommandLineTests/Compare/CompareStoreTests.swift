import Foundation
import Servers
import Testing

/// The rounds that `compare` stores.
@Suite struct CompareStoreTests {
    private static let lab = ["compare", "--lab", "meadow", "-d", "example.com", "-q"]

    @Test func `a run is stored in the user's store, and a lab run is not stored`() async throws {
        let home = TemporaryFolder()
        let environment = ["XDG_DATA_HOME": home.file("data")]
        try await Command.succeed(Self.lab + ["--rounds", "1"], environment: environment)
        #expect(!FileManager.default.fileExists(atPath: home.file("data")))
        _ = try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            try await Command.succeedSilently(
                ["compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "3", "-q"]
                    + ["--rate", "50"],
                environment: environment
            )
        }
        let store = home.file("data/dnstempo/dnstempo.sqlite")
        #expect(try await StoredFile(store).info()["rounds"] as? Int == 3)
        #expect(try await StoredFile(store).query("SELECT origin FROM run") == "2\n")
    }

    @Test func `a configuration that changes during a run does not stop the report`() async throws {
        let home = TemporaryFolder()
        try home.write("vantage = \"attic\"\n", to: "dnstempo/config.toml")
        let store = home.file("s.sqlite")
        try await Binary.withRunning(
            Self.lab + ["--rounds", "30", "--interval", "100ms", "--store", store]
                + ["-o", home.file("r.json")],
            environment: ["XDG_CONFIG_HOME": home.path]
        ) { process, folder in
            let isStored = try await eventually(while: process) {
                let info = ["store", "info", "--store", store, "--format", "json"]
                return try await Command.run(info).output.contains(#/"rounds": [1-9]/#)
            }
            #expect(isStored)
            try home.write("vantage = \n", to: "dnstempo/config.toml")
            #expect(await process.end() == .code(0), "\(folder.text("errors"))")
        }
        #expect(home.text("r.json").hasPrefix("{"))
    }

    @Test(arguments: [["--no-store"], ["--store", "s.sqlite", "--no-store"]])
    func `a run with --no-store stores nothing`(options: [String]) async throws {
        let home = TemporaryFolder()
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let run = try await Command.run(
                ["compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "1", "-q"]
                    + options,
                environment: ["XDG_DATA_HOME": home.file("data")],
                in: home.path
            )
            #expect(run.code == (options.count == 1 ? 0 : 64))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).isEmpty)
    }

    @Test func `the configuration turns the store off, and --store turns it on`() async throws {
        let home = TemporaryFolder()
        try home.write("no-store = true\n", to: "config/dnstempo/config.toml")
        let environment = [
            "XDG_CONFIG_HOME": home.file("config"), "XDG_DATA_HOME": home.file("data"),
        ]
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let arguments = [
                "compare", "\(responder.endpoint)", "-d", "example.com", "--rounds", "1", "-q",
            ]
            try await Command.succeed(arguments, environment: environment)
            #expect(!FileManager.default.fileExists(atPath: home.file("data")))
            try await Command.succeed(
                arguments + ["--store", home.file("s.sqlite")],
                environment: environment
            )
        }
        #expect(try await StoredFile(home.file("s.sqlite")).info()["rounds"] as? Int == 1)
    }

    @Test func `an unusable store is reported with a remedy before any query`() async throws {
        let home = TemporaryFolder()
        let store = try home.write("no store at all", to: "dnstempo.sqlite")
        try await withResponder {
            [.reply($0.answer())]
        } _: { responder in
            let run = try await Command.run([
                "compare", "\(responder.endpoint)", "-d", "example.com", "--store", store,
            ])
            #expect(run.code == 65)
            #expect(
                run.errors == "dnstempo: '\(store)' is not a store of dnstempo, and was left as it "
                    + "is: name another with --store; --no-store measures without a store\n"
            )
            #expect(responder.queries.isEmpty)
        }
        #expect(home.text("dnstempo.sqlite") == "no store at all")
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func `an interrupted run keeps its complete rounds`(signal: Int32) async throws {
        let (asked, announce) = AsyncStream<Int>.makeStream()
        let home = TemporaryFolder()
        let store = home.file("s.sqlite")
        try await withResponder { query in
            announce.yield(query.ordinal)
            return [.reply(query.answer())]
        } _: { responder in
            let arguments = [
                "compare", "\(responder.endpoint)", "-d", "example.com", "-d", "example.org",
                "--rounds", "100000", "--rate", "200", "-q", "--store", store,
            ]
            try await Binary.withRunning(arguments) { process, _ in
                for await ordinal in asked where ordinal >= 100 { break }
                if signal == SIGKILL {
                    // After SIGKILL, the process cannot store more rounds. The test therefore waits for ten
                    // stored rounds.
                    let isStored = try await eventually(while: process) {
                        let info = ["store", "info", "--store", store, "--format", "json"]
                        return try await Command.run(info).output.contains(#/"rounds": [1-9][0-9]/#)
                    }
                    #expect(isStored)
                }
                process.send(signal: signal)
                _ = await process.end()
            }
        }
        let info = try await StoredFile(store).info()
        let rounds = try #require(info["rounds"] as? Int)
        #expect(info["samples"] as? Int == 2 * rounds)
        // Two queries are for the warm-up. The last rounds may be incomplete.
        #expect(rounds >= (signal == SIGINT ? 18 : 10))
        #expect(try await StoredFile(store).query("SELECT min(whole) FROM round") == "1\n")
    }
}
