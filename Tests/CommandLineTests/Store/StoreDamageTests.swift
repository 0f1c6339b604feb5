import Foundation
import Servers
import Testing

/// Stores whose content was changed.
struct StoreDamageTests {
    private let folder = TemporaryFolder()
    private var store: StoredFile { StoredFile(folder.file("s.sqlite")) }

    /// Runs `body` with a store of some rounds.
    private func withStore(_ body: () async throws -> Void) async throws {
        let samples = try folder.write(GeneratedSamples(run: "r", rounds: 70).text, to: "r.csv")
        try await Command.succeed(["store", "import", samples, "--store", store.path])
        // Moves all pages from the log into the file.
        try await store.query("PRAGMA wal_checkpoint(TRUNCATE)")
        try await body()
    }

    private func flip(at offset: Int) throws {
        var bytes = folder.read("s.sqlite")
        bytes[offset] ^= 0x10
        try Data(bytes).write(to: URL(fileURLWithPath: store.path))
    }

    /// The findings of `store check`. Expects that the error message names the next step.
    private func findings() async throws -> [String] {
        let run = try await Command.run(["store", "check", "--store", store.path])
        #expect(run.code == 65)
        #expect(
            run.errors == "dnstempo: the store '\(store.path)' is not sound: keep a copy; merge "
                + "the intact rounds into another with dnstempo store merge \(store.path) "
                + "--store NEW.sqlite\n"
        )
        let json = try await Command.run([
            "store", "check", "--store", store.path, "--format", "json",
        ])
        let report = try JSON(json.output)
        #expect(report["sound"] as? Bool == false)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(report["findings"] as? [String] == lines)
        return lines
    }

    @Test func `a check finds an altered hourly count, and a merge corrects it`() async throws {
        try await withStore {
            let changed = try await store.query(
                """
                UPDATE rollup SET answered = answered + 1
                WHERE (hour, key) IN (SELECT max(hour), max(key) FROM rollup);
                SELECT changes();
                """
            )
            #expect(changed == "1\n")
            #expect(
                try await findings() == [
                    "the hourly sum of r3, A, from here at 2026-10-01T01:00:00.000000Z differs "
                        + "from its samples"
                ]
            )
            let mended = folder.file("new.sqlite")
            let merge = ["store", "merge", store.path, "--store", mended]
            #expect(try await Command.run(merge).code == 0)
            try await StoredFile(mended).expectSound(rounds: 70)
        }
    }

    @Test func `one missing sample is found`() async throws {
        try await withStore {
            try await store.query("DELETE FROM sample WHERE round = 17 AND position = 5")
            let found = try await findings()
            #expect(found.contains("round 17 of run 'r' has 39 samples where 40 were stored"))
        }
    }

    @Test func `one altered sample is found`() async throws {
        try await withStore {
            try await store.query(
                "UPDATE sample SET round_trip = round_trip + 1 WHERE round = 9 AND position = 5"
            )
            #expect(try await findings().contains("round 9 of run 'r' is not as it was stored"))
        }
    }

    @Test(arguments: [0.2, 0.4, 0.6, 0.8])
    func `a check finds one flipped byte of a page`(place: Double) async throws {
        try await withStore {
            let bytes = folder.read("s.sqlite")
            let sample = Int(Double(bytes.count) * place)
            // The changed byte has a value other than zero.
            let offset = try #require(bytes[sample...].firstIndex { $0 != 0 })
            try flip(at: offset)
            #expect(try await findings().isEmpty == false)
        }
    }

    /// The header bytes of the page size, the versions for writing and reading, the maximum payload fraction,
    /// and the text encoding.
    @Test(arguments: [16, 18, 19, 21, 59])
    func `a changed header byte is rejected without any write`(offset: Int) async throws {
        try await withStore {
            try flip(at: offset)
            let before = folder.read("s.sqlite")
            for arguments in Self.users(of: store.path, folder) {
                let run = try await Command.run(arguments)
                #expect(run.code == 65, "\(arguments)")
                #expect(run.errors.split(separator: "\n").count == 1)
                #expect(run.errors.contains("'\(store.path)'"))
            }
            #expect(folder.read("s.sqlite") == before)
            #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"))
            #expect(try await findings().count == 1)
        }
    }

    @Test func `a store of a newer version is rejected and stays unchanged`() async throws {
        try await withStore {
            try await store.query("PRAGMA user_version = 99")
            let before = folder.read("s.sqlite")
            for arguments in Self.users(of: store.path, folder) + [
                ["store", "check", "--store", store.path]
            ] {
                let run = try await Command.run(arguments)
                #expect(run.code == 65, "\(arguments)")
                #expect(run.output == "")
                let start =
                    "dnstempo: the store '\(store.path)' was made by a newer dnstempo (version "
                let end = /99 of the store, this one knows \d+\): use that one/
                #expect(run.errors.hasPrefix(start))
                #expect(run.errors.contains(end))
                #expect(run.errors.split(separator: "\n").count == 1)
            }
            #expect(folder.read("s.sqlite") == before)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.filter { $0.hasPrefix("s.sqlite-") }.isEmpty)
        }
    }

    /// Command lines of all commands that open a store, except `store check`.
    private static func users(of path: String, _ folder: TemporaryFolder) -> [[String]] {
        let named = ["--store", path]
        return [
            ["sample", "--lab", "meadow", "-d", "example.com"] + named,
            ["compare", "--lab", "meadow", "-d", "example.com", "--rounds", "1"] + named,
            ["store", "info"] + named, ["store", "import", folder.file("r.csv")] + named,
            ["store", "prune", "--older-than", "1d"] + named,
            ["store", "merge", path, "--store", folder.file("other.sqlite")],
        ]
    }

    /// No command may read a foreign view that replaces a table, or run a foreign trigger.
    @Test(arguments: [
        (
            """
            DROP TABLE round; CREATE VIEW round AS WITH RECURSIVE n (id) AS
                (VALUES (1) UNION ALL SELECT id + 1 FROM n)
            SELECT id, id AS start, id AS stop, id AS samples, id AS pruned, id AS run FROM n
            """,
            "its view 'round' is not the one that a store has"
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM sample; END",
            "no store has its trigger 't'"
        ),
    ])
    func `every command rejects a foreign schema`(sql: String, reason: String) async throws {
        try await withStore {
            try await store.query(sql)
            let line =
                "dnstempo: the store '\(store.path)' is damaged (\(reason)); nothing was changed: "
                + "keep a copy, see what dnstempo store check says, and name another with --store\n"
            for arguments in [
                ["store", "info"], ["store", "prune", "--older-than", "1d"], ["report"],
                ["chart"], ["export"],
                ["store", "import", folder.file("r.csv")],
            ] {
                let run = try await Command.run(arguments + ["--store", store.path])
                #expect(run.code == 65 && run.errors == line, "\(arguments): \(run.errors)")
            }
            let new = folder.file("new.sqlite")
            let merge = try await Command.run(["store", "merge", store.path, "--store", new])
            #expect(merge.code == 65 && merge.errors == line)
            #expect(try await findings() == ["the file: \(reason)"])
        }
    }

    /// Counts that no version of the program stores. Commands that add these counts end with an error, and do
    /// not crash.
    @Test(arguments: ["-1", "9223372036854775807", "-9223372036854775808", "4294967297"])
    func `an invalid count is rejected with one line, without a crash`(count: String) async throws {
        try await withStore {
            try await store.query(
                "UPDATE rollup SET answered = \(count); UPDATE round SET samples = \(count), pruned = 1"
            )
            let since = ["--origin", "import", "--since", "2026-01-01", "--store", store.path]
            for arguments in [
                ["report"] + since, ["chart", "--kind", "heatmap"] + since,
                ["store", "merge", store.path, "--store", folder.file("new.sqlite")],
            ] {
                let run = try await Command.run(arguments)
                #expect(run.code == 65, "\(arguments): \(run.output)\(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
            }
            try await Command.succeed(["store", "info", "--store", store.path])
            #expect(try await !findings().isEmpty)
        }
    }
}
