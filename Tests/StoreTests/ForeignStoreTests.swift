import Failures
import Fixtures
import LibC
import Samples
import Testing

@testable import SQLite
@testable import Store

/// Stores from an untrusted source.
struct ForeignStoreTests {
    private let folder = TemporaryFolder()
    private let path: String

    init() throws {
        path = folder.file("store.sqlite")
        var simulation = try Simulation()
        _ = try simulation.fill(try Store(path: path), run: "r", rounds: 12)
        try Store(path: path).foldLog()
    }

    /// Changes the file, including its schema, as another program can.
    private func tamper(_ sql: String, _ path: String? = nil) throws {
        try OtherProgram.run(
            "PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON; " + sql,
            on: path ?? self.path
        )
    }

    private static let endless = """
        WITH RECURSIVE n (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM n)
        SELECT id, id AS run, id AS number, id AS start, id AS stop, id AS base, id AS samples,
            id AS marks, id AS whole, id AS checksum, id AS pruned FROM n
        """

    @Test(arguments: [
        (
            "DROP TABLE round; CREATE VIEW round AS \(endless)",
            "its view 'round' is not the one that a store has"
        ),
        (
            "CREATE TRIGGER t AFTER INSERT ON round BEGIN DELETE FROM sample; END",
            "no store has its trigger 't'"
        ),
        ("CREATE TABLE more (a)", "no store has its table 'more'"),
        ("CREATE INDEX more ON sample (ttl)", "no store has its index 'more'"),
        ("DROP INDEX round_by_start", "its index 'round_by_start' is missing"),
        ("DROP TABLE notice", "its table 'notice' is missing"),
        (
            "ALTER TABLE round ADD COLUMN more INTEGER AS (abs(-9223372036854775808))",
            "its table 'round' is not the one that a store has"
        ),
        (
            "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'round'",
            "its table 'round' is not the one that a store has"
        ),
        ("ANALYZE", "no store has its table 'sqlite_stat1'"),
        ("DROP VIEW hours", "its view 'hours' is missing"),
        (
            "DROP VIEW samples; CREATE VIEW samples AS SELECT 1 AS run",
            "its view 'samples' is not the one that a store has"
        ),
        (
            "DROP VIEW rounds; CREATE TABLE rounds (run)",
            "its table 'rounds' is not the one that a store has"
        ),
    ])
    func `an unknown schema is rejected before use`(sql: String, reason: String) throws {
        try tamper(sql)
        let bytes = try File.read(path)
        for access in [Store.Access.readOnly, .readWrite] {
            let error = #expect(throws: StoreError.self) { try Store(path: path, access: access) }
            #expect(error?.status == .badData)
            #expect(error?.damage == reason)
        }
        #expect(try File.read(path) == bytes)
    }

    @Test func `a log that removes the tables and changes the version is rejected`() throws {
        let other = try DatabaseQueue(path: path)
        try other.inDatabase { database in
            try database.execute("PRAGMA journal_mode = WAL")
            try database.execute("PRAGMA wal_autocheckpoint = 0")
            try database.execute("PRAGMA writable_schema = ON")
            try database.execute("DELETE FROM sqlite_schema")
            try database.execute("PRAGMA user_version = -5")
        }
        for access in [Store.Access.readOnly, .readWrite] {
            let error = #expect(throws: StoreError.self) { try Store(path: path, access: access) }
            #expect(error?.damage == "its version is -5")
        }
        withExtendedLifetime(other) {}
    }

    @Test func `a long name is cut to the maximum length`() throws {
        let long = String(repeating: "a", count: 300)
        try tamper(
            "UPDATE vantage SET name = '\(long)'; "
                + "UPDATE target SET label = label || name FROM vantage"
        )
        #expect(StoreReaders.errors(reading: path).isEmpty)
        let store = try Store(path: path, access: .readOnly)
        #expect(try store.check().isSound)
        #expect(try store.vantages() == [long.cut(toBytes: 255)])
    }

    @Test func `only the owner of a store can read its files`() throws {
        let store = try Store(path: path)
        var simulation = try Simulation(seed: 2)
        _ = try simulation.fill(store, run: "s", rounds: 1)
        #expect(folder.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
        for name in folder.names {
            var status = stat()
            #expect(unsafe stat(folder.file(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
    }

    /// The values have the wrong type. A file contains such values only if a program bypassed its schema.
    @Test(arguments: [
        ("round", "samples"), ("round", "start"), ("round", "number"), ("run", "name"),
        ("run", "timeout"), ("vantage", "name"), ("endpoint", "address"), ("target", "label"),
        ("target", "series"), ("question", "name"), ("question", "type"), ("probe", "target"),
        ("text", "value"), ("sample", "scheduled"), ("sample", "round_trip"), ("sample", "state"),
        ("detail", "site"), ("rollup_key", "timeout"), ("rollup", "answered"), ("rollup", "sum"),
        ("rollup", "sketch"), ("connection", "new"), ("connection", "whole"),
        ("warmup", "hits"),
    ])
    func `an invalid value of a column is an error`(table: String, column: String) throws {
        let original = try File.read(path)
        let values = [
            "x'00ff'", "'text'", "-1", "9223372036854775807", "-9223372036854775808", "9e999",
            "NULL", "hex(zeroblob(50000))",
        ]
        for value in values {
            try File.write(original, to: path)
            try tamper(
                """
                CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema;
                UPDATE sqlite_schema SET sql =
                    replace(replace(replace(sql, 'STRICT, ', ''), 'STRICT', ''), 'NOT NULL', '')
                    WHERE name = '\(table)';
                """
            )
            try tamper("UPDATE OR IGNORE \(table) SET \(column) = \(value)")
            try tamper(
                """
                UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE kept.name = '\(table)')
                    WHERE name = '\(table)';
                DROP TABLE kept;
                """
            )
            let reading = StoreReaders.errors(reading: path)
            if value == values[0] {
                #expect(try !Store(path: path, access: .readOnly).check().isSound)
            }
            let errors =
                reading
                + StoreReaders.errors(writing: path, folder.file("other-\(value.count).sqlite"))
            #expect(errors.allSatisfy { $0.status == .badData }, "\(errors)")
        }
    }

    /// Changes bytes of a store at random. The seed of the random generator is fixed.
    @Test func `reading a damaged store returns an error or a result`() throws {
        var random = try Simulation(seed: 7)
        let original = try File.read(path)
        let used = original.indices.filter { $0 >= 100 && original[$0] != 0 }
        var refused = 0
        for _ in 0..<200 {
            var bytes = original
            for _ in 0..<(1 + random.random(8)) {
                let place = used[Int(random.random(UInt64(used.count)))]
                switch random.random(4) {
                case 0: bytes[place] = UInt8(random.random(256))
                case 1: bytes[place] ^= 1 << UInt8(random.random(8))
                case 2: bytes[place] = [0, 0x7f, 0x80, 0xff][Int(random.random(4))]
                default:
                    let from = Int(random.random(UInt64(bytes.count - 16)))
                    let to = min(place, bytes.count - 16)
                    bytes.replaceSubrange(to..<to + 16, with: bytes[from..<from + 16])
                }
            }
            try File.write(bytes, to: path)
            if !StoreReaders.errors(reading: path).isEmpty { refused += 1 }
            _ = try? Store(path: path, access: .readOnly).check()
            _ = StoreReaders.errors(writing: path, folder.file("other.sqlite"))
            for name in folder.names where name != "store.sqlite" {
                unsafe unlink(folder.file(name))
            }
        }
        #expect(refused > 50)
    }
}
