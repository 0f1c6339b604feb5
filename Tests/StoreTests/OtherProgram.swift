import CSQLite

@testable import SQLite

/// Access to a store's file by another program, which does not know the format of stores.
enum OtherProgram {
    /// A row with the names of its columns. A value is an `Int`, `Double` or `String`, or `nil`.
    struct Row {
        let columns: [String]
        let values: [(any Sendable)?]

        subscript<Value>(column: String) -> Value? {
            columns.firstIndex(of: column).flatMap { values[$0] as? Value }
        }
    }

    /// Runs statements without checks of foreign keys.
    static func run(_ sql: String, on path: String) throws {
        try DatabaseQueue(path: path).inDatabase { database in
            try database.execute("PRAGMA foreign_keys = OFF")
            try database.execute(sql)
        }
    }

    static func columns(of table: String, in database: Database) throws -> [String] {
        try database.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [table]) { row in
            try row.text(0)
        }
    }

    /// Returns the rows of a table or view, sorted by `order`.
    static func rows(of table: String, by order: String = "1", in path: String) throws -> [Row] {
        try DatabaseQueue(path: path, access: .readOnly).inDatabase { database in
            let columns = try columns(of: table, in: database)
            return try database.rows("SELECT * FROM \(table) ORDER BY \(order)") { row in
                let values = try columns.indices.map { column -> (any Sendable)? in
                    let column = Int32(column)
                    return switch row.type(column) {
                    case SQLITE_INTEGER: Int(try row.integer(column))
                    case SQLITE_FLOAT: try row.double(column)
                    case SQLITE_TEXT: try row.text(column)
                    default: nil
                    }
                }
                return Row(columns: columns, values: values)
            }
        }
    }

    /// Returns the values of all tables `except` one, one text per row.
    static func contents(_ path: String, except left: String = "") throws -> [String] {
        try DatabaseQueue(path: path, access: .readOnly).read { database in
            let tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            let names = try database.rows(tables) { try $0.text(0) }.filter { $0 != left }
            return try names.flatMap { table in
                let columns = try columns(of: table, in: database)
                let line = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
                return try database.rows("SELECT \(line) FROM \(table)") { try $0.text(0) }
            }
        }
    }
}
