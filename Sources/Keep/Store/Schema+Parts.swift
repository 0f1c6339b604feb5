import CSQLite
import DNSWire
import SQLite
import Samples

/// The parts of a database, and the parts of a store of each version.
extension Schema {
    /// A table, an index, or another object that a file defines.
    struct Part: Equatable {
        var type: String
        var table: String
        var definition: String
    }

    /// Describes the first part that differs between a file and a store of a version. The result is `nil` if
    /// all parts are as ``migrate(_:to:)`` creates them. Call it before any other query: the definitions in a
    /// file decide what happens when it is read.
    static func fault(_ database: Database, version: Int) throws -> String? {
        let found = try parts(of: database)
        // Creating a store to compare its parts takes longer than reading a short one.
        if version == Schema.version, digest(of: found) == newest { return nil }
        let expected = try parts(ofVersion: version)
        for (name, part) in found.sorted(by: { $0.key < $1.key }) where expected[name] != part {
            let shown = name.cut(toCharacters: 40)
            return expected[name] == nil
                ? "no store has its \(part.type) '\(shown)'"
                : "its \(part.type) '\(shown)' is not the one that a store has"
        }
        let missing = expected.filter { found[$0.key] == nil }.min { $0.key < $1.key }
        return missing.map { "its \($0.value.type) '\($0.key)' is missing" }
    }

    /// An empty store in the empty database `queue`; in memory if `queue` is `nil`.
    static func emptyStore(in queue: DatabaseQueue? = nil) throws -> DatabaseQueue {
        let queue = try queue ?? DatabaseQueue()
        try empty.get().copy(to: queue)
        return queue
    }

    private static let empty = Result {
        let queue = try DatabaseQueue()
        try queue.write { try migrate($0) }
        return queue
    }

    /// The definition of a table in this version.
    static func table(_ name: String) throws -> StoredTable {
        try empty.get().inDatabase { try table(name, $0) }
    }

    static func table(_ name: String, _ database: Database) throws -> StoredTable {
        var table = StoredTable(name: name, columns: [], key: [])
        var key: [Int64: String] = [:]
        try database.forEachRow(
            "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?) ORDER BY cid",
            [name]
        ) { row in
            let (column, place) = (try row.text(0), try row.integer(3))
            guard let kind = StoredTable.Kind(rawValue: try row.text(1)) else {
                throw DatabaseError.mismatch("a column of '\(name)' is of no type that is known")
            }
            let isFilled = try row.integer(2) != 0 || place > 0
            table.columns.append(.init(name: column, kind: kind, isFilled: isFilled))
            if place > 0 { key[place] = column }
        }
        table.key = key.sorted { $0.key < $1.key }.map(\.value)
        try database.forEachRow(
            """
            SELECT min("from"), "table" FROM pragma_foreign_key_list(?)
            GROUP BY id HAVING count(*) = 1
            """,
            [name]
        ) { row in table.references[try row.text(0)] = try row.text(1) }
        return table
    }

    /// The ``digest(of:)`` of a store of this version.
    static let newest = "bd38ec95d9c709e9eb2064c6010a65a7d482039f51b985457f2faa070d258fb4"

    /// The SHA-256 of the definitions in a file, in hexadecimal digits.
    static func digest(of parts: [String: Part]) -> String {
        let texts = parts.sorted { $0.key < $1.key }.flatMap { name, part in
            [name, part.type, part.table, part.definition]
        }
        // The length precedes each text, so that one text cannot equal two texts.
        return SHA256.hash(texts.flatMap { Array("\($0.utf8.count):\($0)".utf8) }).hexadecimal
    }

    private static func parts(ofVersion version: Int) throws -> [String: Part] {
        try DatabaseQueue().inDatabase { database in
            try migrate(database, to: version)
            return try parts(of: database)
        }
    }

    static func parts(of database: Database) throws -> [String: Part] {
        var parts: [String: Part] = [:]
        try database.forEachRow(
            "SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_master"
        ) { row in
            let name = try row.text(0)
            let part = Part(
                type: try row.text(1),
                table: try row.text(2),
                definition: try row.text(3)
            )
            guard parts.updateValue(part, forKey: name) == nil else {
                throw DatabaseError(
                    SQLITE_CORRUPT,
                    "it has two of the name '\(name.cut(toCharacters: 40))'"
                )
            }
        }
        return parts
    }
}
