import GRDB
import Samples

extension Schema {
    /// A table, an index or whatever else a file says it has.
    private struct Part: Equatable {
        var type: String
        var table: String
        var definition: String
    }

    /// What a file has that no store of a version has, or the other way round; `nil` where it is
    /// as ``migrate(_:to:)`` makes it. To be asked before anything else: what a file has in place
    /// of a table decides what happens when it is read.
    static func fault(_ database: Database, version: Int) throws -> String? {
        let expected = try version == Schema.version ? newest.get() : parts(ofVersion: version)
        let found = try parts(of: database)
        for (name, part) in found.sorted(by: { $0.key < $1.key }) where expected[name] != part {
            let shown = name.cut(toCharacters: 40)
            return expected[name] == nil
                ? "no store has its \(part.type) '\(shown)'"
                : "its \(part.type) '\(shown)' is not the one that a store has"
        }
        let missing = expected.filter { found[$0.key] == nil }.min { $0.key < $1.key }
        return missing.map { "its \($0.value.type) '\($0.key)' is missing" }
    }

    private static let newest = Result { try parts(ofVersion: version) }

    private static func parts(ofVersion version: Int) throws -> [String: Part] {
        try DatabaseQueue().inDatabase { database in
            try migrate(database, to: version)
            return try parts(of: database)
        }
    }

    private static func parts(of database: Database) throws -> [String: Part] {
        let rows = try BoundStatement(
            database,
            "SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_master"
        )
        defer { rows.reset() }
        var parts: [String: Part] = [:]
        while try rows.step() {
            let name = try rows.text(0)
            let part = Part(
                type: try rows.text(1),
                table: try rows.text(2),
                definition: try rows.text(3)
            )
            guard parts.updateValue(part, forKey: name) == nil else {
                throw DatabaseError(
                    resultCode: .SQLITE_CORRUPT,
                    message: "it has two of the name '\(name.cut(toCharacters: 40))'"
                )
            }
        }
        return parts
    }
}
