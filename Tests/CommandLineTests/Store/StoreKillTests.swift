import Fixtures
import Foundation
import Servers
import Testing

/// Programs that are killed while they write. The rounds that they announced as stored are in the store.
@Suite(.serialized) struct StoreKillTests {
    /// Kills a run `delay` after it printed `count` lines. Returns the complete lines of the output, or `nil`
    /// if the run ended before the kill. This happens, for example, if the test process was suspended.
    private func killed(
        _ arguments: [String],
        afterLines count: Int,
        and delay: Duration
    ) async throws -> [Substring]? {
        try await Binary.withRunning(arguments) { process, folder in
            let isUnderWay = try await eventually(while: process) {
                folder.read("output").count { $0 == 0x0A } >= count
            }
            try #require(isUnderWay)
            try await Task.sleep(for: delay)
            process.send(signal: SIGKILL)
            let status = await process.end()
            if status == .code(0) { return nil }
            #expect(status == .signal(SIGKILL))
            #expect(folder.text("errors") == "")
            // The last piece is an incomplete line, or empty.
            return Array(
                folder.text("output").split(separator: "\n", omittingEmptySubsequences: false)
                    .dropLast()
            )
        }
    }

    /// Kills an import of `files` into a new store. If all files were already imported, tries again with a
    /// shorter delay.
    private func killedImport(
        of files: [String],
        in folder: TemporaryFolder,
        afterLines count: Int,
        and delay: Duration
    ) async throws -> (store: StoredFile, command: [String], lines: [Substring]) {
        for attempt in 1...5 {
            let store = StoredFile(folder.file("s\(attempt).sqlite"))
            let command = ["store", "import"] + files + ["--store", store.path]
            let lines = try await killed(command, afterLines: count, and: delay / attempt)
            if let lines, lines.count < files.count { return (store, command, lines) }
        }
        throw ServerError("each import came to its end before it was killed")
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a watch that is killed has stored the announced rounds`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let folder = TemporaryFolder()
        let store = StoredFile(folder.file("s.sqlite"))
        var announced = 0
        let lives = 4
        for _ in 1...lives {
            let killed = try await killed(
                ["watch", "--lab", "meadow", "-d", "example.com", "--interval", "10ms"]
                    + ["--warmup", "0", "--rate", "500", "--total-rate", "500"]
                    + ["--store", store.path],
                afterLines: Int.random(in: 1...30, using: &random),
                and: .microseconds(Int.random(in: 0...30_000, using: &random))
            )
            let lines = try #require(killed)
            #expect(!lines.isEmpty)
            for (index, line) in lines.enumerated() {
                #expect(line.hasPrefix("round \(index + 1) at "))
                #expect(line.hasSuffix("; stored"))
            }
            announced += lines.count
            let stored = try await store.query(
                """
                SELECT count(*) FROM round WHERE whole AND samples = 1
                    AND run = (SELECT max(id) FROM run) AND number <= \(lines.count)
                """
            )
            #expect(stored == "\(lines.count)\n")
        }
        let rounds = try #require(try await store.info()["rounds"] as? Int)
        // In each run of the watch, one round may be committed but not announced at the kill.
        #expect((announced...announced + lives).contains(rounds))
        try await store.expectSound(rounds: rounds)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a killed import has stored each announced file`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let folder = TemporaryFolder()
        let files = try (1...60).map { number in
            let samples = GeneratedSamples(run: "run\(number)", rounds: 20, day: number % 25 + 1)
            return try folder.write(samples.text, to: "f\(number).csv")
        }
        let (store, command, lines) = try await killedImport(
            of: files,
            in: folder,
            afterLines: Int.random(in: 1...25, using: &random),
            and: .microseconds(Int.random(in: 0...20_000, using: &random))
        )
        #expect(!lines.isEmpty)
        let whole = try await store.query(
            "SELECT count(*) FROM run WHERE (SELECT sum(samples) FROM round WHERE run = run.id) = 800"
        )
        #expect(try #require(Int(whole.dropLast())) >= lines.count)
        try await store.expectSound()
        #expect(try await Binary.run(command).code == 0)
        try await store.expectSound(rounds: 60 * 20)
    }

    /// The import reads one large file, and is killed during its transactions.
    @Test(arguments: [20, 30, 60, 150, 400])
    func `a killed import leaves only complete transactions`(milliseconds: Int) async throws {
        let folder = TemporaryFolder()
        let samples = GeneratedSamples(run: "r", rounds: 2_000)
        let file = try folder.write(samples.text, to: "r.csv")
        let (store, command, lines) = try await killedImport(
            of: [file],
            in: folder,
            afterLines: 0,
            and: .milliseconds(milliseconds)
        )
        #expect(lines.isEmpty)
        if FileManager.default.fileExists(atPath: store.path) { try await store.expectSound() }
        #expect(try await Binary.run(command, limit: .seconds(120)).code == 0)
        try await store.expectSound(rounds: 2_000)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.contains(".new-") }.isEmpty)
    }

    @Test func `rounds of completed runs are stored although other runs are killed`() async throws {
        var random = SplitMix64(seed: 7)
        let folder = TemporaryFolder()
        let store = StoredFile(folder.file("s.sqlite"))
        let command = ["sample", "--lab", "meadow", "-d", "example.com", "--store", store.path]
        var ended = 0
        for _ in 1...20 {
            try await Binary.withRunning(command) { process, _ in
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...150, using: &random)))
                process.send(signal: SIGKILL)
                if await process.end() == .code(0) { ended += 1 }
            }
        }
        #expect(try await Binary.run(command).code == 0)
        let rounds = try #require(try await store.info()["rounds"] as? Int)
        #expect((ended + 1...21).contains(rounds))
        try await store.expectSound(rounds: rounds)
    }
}
