import Fixtures
import SQLite
import Samples
import Statistics
import Testing

@testable import Store

struct MigrationTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("old.sqlite") }

    /// Creates a store of an older version, with the rounds of the current store `new`. Tables and columns of
    /// later versions are omitted. Versions before 5 store flags only as words of a detail.
    private func makeOld(_ version: Int, from new: String) throws {
        try DatabaseQueue(path: path).inDatabase { database in
            try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            try database.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
            try Schema.migrate(database, to: version)
            try database.run("ATTACH ? AS new", [new])
            let tables = "SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY rowid"
            for table in try database.rows(tables, read: { try $0.text(0) }) {
                // Some tables of an empty store already have rows.
                try database.execute("DELETE FROM main.\(table)")
                let columns = try OtherProgram.columns(of: table, in: database)
                    .joined(separator: ", ")
                try database.execute(
                    "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM new.\(table)"
                )
            }
            if version < 5 {
                try database.execute("UPDATE detail SET connection = nullif(connection & 7, 4)")
            }
            if version < 15 { try Self.removeRounds(from: database) }
        }
    }

    /// Stores the checksums of sums without the counts of rounds, which older versions do not have.
    private static func removeRounds(from database: Database) throws {
        let names = HourlySum.Figures.columns
        try database.forEachRow("SELECT \(names), hour, key FROM new.rollup") { row in
            let place = try HourlySum.Figures.place(row)
            var figures = try HourlySum.Figures(row)
            figures.availability = Availability()
            try database.run(
                "UPDATE main.rollup SET checksum = ? WHERE hour = ? AND key = ?",
                [figures.checksum(at: place), place.hour, place.key]
            )
        }
    }

    @Test func `the digest of this version's parts identifies a store`() throws {
        let parts = try Schema.emptyStore().inDatabase { try Schema.parts(of: $0) }
        #expect(Schema.digest(of: parts) == Schema.newest)
    }

    /// The first digits of the digest of each version's parts.
    private static let digests = [
        "b32cf18f937ba4ff", "dac90a6ef56bca69", "c053c34915c66f8f", "17afd69553b48a72",
        "17afd69553b48a72", "99fbc86d7e7b9cb5", "4790d84fa31f8cf7", "eb32b7a158ed885f",
        "4824fa59b7227238", "2a45a8ed92cd961b", "e98bc7b71f9398ad", "e37e0339da7786c0",
        "e37e0339da7786c0", "72548a369a3f73bb", "0a380ec69bdb7967", "04426accbe47d702",
        "bd38ec95d9c709e9",
    ]

    @Test(arguments: zip(1...Schema.version, digests))
    func `the digest of an older version's parts identifies a store`(
        version: Int,
        digest: String
    ) throws {
        let parts = try DatabaseQueue().inDatabase { database in
            try Schema.migrate(database, to: version)
            return try Schema.parts(of: database)
        }
        #expect(Schema.digest(of: parts).hasPrefix(digest))
    }

    @Test func `all columns of samples and details are written and read`() throws {
        let place = ["round", "position"]
        for (table, columns) in [
            ("sample", Observation.columns), ("detail", Observation.Extras.columns),
        ] {
            #expect(try Schema.table(table).columns.map(\.name) == place + columns)
        }
    }

    @Test func `a migration adds the words of newer flags and series`() throws {
        var simulation = try Simulation()
        simulation.hasOnlyOldFlags = true
        let new = try Store(path: folder.file("new.sqlite"))
        _ = try simulation.fill(new, run: "r", rounds: 1)
        try makeOld(12, from: folder.file("new.sqlite"))
        try DatabaseQueue(path: path).inDatabase {
            try $0.execute("DELETE FROM word WHERE kind = 'flag' AND number > 128")
            try $0.execute("DELETE FROM word WHERE kind = 'series' AND number > 4")
        }
        _ = try Store(path: path)
        let words = try DatabaseQueue(path: path).inDatabase {
            try $0.rows("SELECT word FROM word WHERE kind IN ('flag', 'series')") { try $0.text(0) }
        }
        #expect(words.contains("case-changed") && words.contains("strays"))
        #expect(words.contains("loaded") && words.contains("cached"))
    }

    @Test func `a migration adds no connections to pruned hours`() throws {
        var simulation = try Simulation()
        simulation.hasOnlyOldFlags = true
        let new = try Store(path: folder.file("new.sqlite"))
        _ = try simulation.fill(new, run: "r", rounds: 30)
        let limit = Simulation.start.advanced(by: .seconds(3600))
        #expect(try new.prune(olderThan: limit) > 0)
        try makeOld(3, from: folder.file("new.sqlite"))
        let store = try Store(path: path)
        #expect(try store.check().findings == [])
        for (old, now) in zip(try new.rollups(), try store.rollups()) {
            #expect(now.latency == old.latency)
            #expect(now.connections == (now.hour < limit ? ConnectionSums() : old.connections))
        }
    }

    @Test func `a migration counts the rounds whose samples remain`() throws {
        var simulation = try Simulation()
        simulation.hasPackets = false
        let new = try Store(path: folder.file("new.sqlite"))
        _ = try simulation.fill(new, run: "r", rounds: 30)
        let limit = Simulation.start.advanced(by: .seconds(3600))
        #expect(try new.prune(olderThan: limit) > 0)
        try makeOld(14, from: folder.file("new.sqlite"))
        let store = try Store(path: path)
        #expect(try store.check().findings == [])
        for (old, now) in zip(try new.rollups(), try store.rollups()) {
            let known = now.hour < limit ? Availability() : old.figures.availability
            #expect(now.figures.availability == known)
        }
    }

    @Test func `a migration neither counts in a damaged sum nor repairs it`() throws {
        var simulation = try Simulation()
        simulation.hasPackets = false
        let new = try Store(path: folder.file("new.sqlite"))
        _ = try simulation.fill(new, run: "r", rounds: 30)
        try makeOld(14, from: folder.file("new.sqlite"))
        let damage = "UPDATE rollup SET sketch = x'00' WHERE hour = 498676 AND key = 1"
        try OtherProgram.run(damage, on: path)
        let findings = try Store(path: path).check().findings
        #expect(findings.count == 1 && findings[0].contains("2026-11-21T04:00"), "\(findings)")
        let row = try OtherProgram.rows(of: "rollup", by: "hour, key", in: path)
            .first { $0["hour"] == 498676 && $0["key"] == 1 }
        #expect(row != nil && row?["rounds"] as Int? == nil)
    }

    @Test(arguments: 1..<Schema.version)
    func `a migration keeps the content of an older store`(version: Int) throws {
        var simulation = try Simulation()
        simulation.hasOnlyOldFlags = true
        let new = try Store(path: folder.file("new.sqlite"))
        _ = try simulation.fill(new, run: "r", rounds: 30)
        try makeOld(version, from: folder.file("new.sqlite"))

        let refused = #expect(throws: StoreError.self) { try Store(path: path, access: .readOnly) }
        #expect(refused?.description.contains("is of an older version (\(version))") == true)

        let store = try Store(path: path)
        #expect(try store.info().version == Schema.version)
        #expect(try store.check().findings == [])
        #expect(try store.rounds() == new.rounds())
        #expect(try store.rollups() == new.rollups())
        #expect(try new.rollups().contains { !$0.connections.isEmpty })
        #expect(try store.recording().lines() == new.recording().lines())
        let flags = try Set(store.recording().samples.map(\.observation.flags))
        #expect(flags == [[], [.unverified, .strays]])
        _ = try simulation.fill(store, run: "more", rounds: 2)
        #expect(try store.check().findings == [])
        #expect(try Store(path: path, access: .readOnly).info().rounds == 32)
    }
}
