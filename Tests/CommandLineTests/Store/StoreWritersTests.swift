import Foundation
import Servers
import Testing

/// Several writers of one store, and rounds from a clock that is set back.
struct StoreWritersTests {
    private let folder = TemporaryFolder()

    @Test func `four imports at once into a new store are all stored`() async throws {
        let store = StoredFile(folder.file("s.sqlite"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...4 {
                let samples = GeneratedSamples(run: "run\(number)", rounds: 200, day: number)
                let file = try folder.write(samples.text, to: "f\(number).csv")
                group.addTask {
                    let run = try await Binary.succeedSilently([
                        "store", "import", file, "--store", store.path,
                    ])
                    #expect(run.output.contains(": 200 rounds, 8000 samples imported; 0 rounds"))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.info()["samples"] as? Int == 4 * 8000)
        try await store.expectSound(rounds: 800)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.contains(".new-") }.isEmpty)
    }

    @Test func `a store that another program locks is reported after a wait`() async throws {
        let store = StoredFile(folder.file("s.sqlite"))
        let files = try ["a", "b"].map { name in
            try folder.write(GeneratedSamples(run: name, rounds: 2).text, to: "\(name).csv")
        }
        try await Binary.succeed(["store", "import", files[0], "--store", store.path])
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            sys.stdin.read()
            """
        let pipe = folder.file("pipe")
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        // The test opens both ends of the pipe, so that neither process waits until the other opens it.
        let end = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(end) }
        let other = try ChildProcess(
            Program("python3", package: "python3"),
            ["-c", script, store.path],
            input: pipe,
            output: folder.file("output"),
            errors: folder.file("errors")
        )
        let isLocked = try await eventually(while: other) { folder.text("output") == "locked\n" }
        try #require(isLocked, "\(folder.text("errors"))")
        let run = try await Binary.run(
            ["store", "import", files[1], "--store", store.path],
            limit: .seconds(150)
        )
        #expect(run.code == 75)
        #expect(
            run.errors
                == "dnstempo: the store '\(store.path)' is locked: another process is writing "
                + "to it; try again later; nothing of '\(files[1])' was imported\n"
        )
        // A reader does not wait for the lock.
        #expect(try await store.info()["rounds"] as? Int == 2)
        await other.stop()
        try await Binary.succeed(["store", "import", files[1], "--store", store.path])
        try await store.expectSound(rounds: 4)
    }

    @Test func `rounds of a clock that was set back an hour are all kept`() async throws {
        let store = StoredFile(folder.file("s.sqlite"))
        // Before round 31, the clock is set back by an hour. The run then continues with round 31.
        let before = GeneratedSamples(run: "r", rounds: 30, minute: 120)
        let after = GeneratedSamples(run: "r", rounds: 30, minute: 90).text
            .replacing(/\nr,(\d+),/) { "\nr,\((Int($0.output.1) ?? 0) + 30)," }
        // In run w, the clock is set back within a round. The second half of the round has send times an hour
        // before its scheduled times.
        let within = GeneratedSamples(run: "w", rounds: 1, minute: 180).text
            .split(separator: "\n").enumerated()
            .map { $0.0 > 20 ? $0.1.replacing(/Z,(.*?)T03:/) { "Z,\($0.output.1)T02:" } : $0.1 }
            .joined(separator: "\n")
        for (name, text) in [("before", before.text), ("after", after), ("within", within)] {
            let file = try folder.write(text, to: "\(name).csv")
            let run = try await Binary.succeedSilently([
                "store", "import", file, "--store", store.path,
            ])
            let count = name == "within" ? "1 round, 40" : "30 rounds, 1200"
            #expect(
                run.output == "\(file): \(count) samples imported; 0 rounds were there already\n"
            )
        }
        try await store.expectSound(rounds: 61)
        let info = try await store.info()
        #expect(info["samples"] as? Int == 61 * GeneratedSamples.queries)
        #expect((info["first"] as? String)?.hasPrefix("2026-10-01T01:30:00") == true)
        let early = try await store.query("SELECT count(*) FROM sample WHERE sent < -3590000000000")
        #expect(early == "20\n")
    }
}
