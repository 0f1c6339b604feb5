import CSQLite

/// A prepared statement. Parameters and columns are accessed by number.
@safe package struct Statement {
    /// Keeps ``handle`` alive.
    private let prepared: Database.Prepared
    private let handle: OpaquePointer

    /// The statement of an SQL text. The database keeps it prepared.
    package init(_ database: Database, _ sql: String) throws {
        prepared = try database.prepared(sql)
        unsafe handle = prepared.handle
        reset()
    }

    /// Binds the first parameters to values, in their order.
    package func bind(_ values: [(any StatementBinding)?]) {
        for (index, value) in values.enumerated() {
            let index = Int32(index + 1)
            if let value {
                _ = unsafe value.bind(to: handle, at: index)
            } else {
                unsafe sqlite3_bind_null(handle, index)
            }
        }
    }

    /// Binds integers without an allocation for each value. It is used for tables with millions of rows.
    package func bind(integers values: [Int64?]) {
        for (index, value) in values.enumerated() {
            if let value {
                unsafe sqlite3_bind_int64(handle, Int32(index + 1), value)
            } else {
                unsafe sqlite3_bind_null(handle, Int32(index + 1))
            }
        }
    }

    /// Moves to the next row; returns `false` after the last row.
    package func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = unsafe DatabaseError(code, of: sqlite3_db_handle(handle))
            reset()
            throw error
        }
    }

    /// Runs a statement without result rows with these values, and resets it.
    package func run(_ values: [(any StatementBinding)?] = []) throws {
        bind(values)
        _ = try step()
        reset()
    }

    package func run(integers values: [Int64?]) throws {
        bind(integers: values)
        _ = try step()
        reset()
    }

    /// Calls `body` for each result row of the statement with these values.
    package func forEachRow(
        _ values: [(any StatementBinding)?] = [],
        body: (Statement) throws -> Void
    ) throws {
        bind(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    /// The result of `read` for the first row with these values; `nil` if there is no row.
    package func first<Row>(
        _ values: [(any StatementBinding)?] = [],
        read: (Statement) throws -> Row
    ) throws -> Row? {
        bind(values)
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Resets the statement for other values. Bound values remain.
    package func reset() { unsafe sqlite3_reset(handle) }

    /// The integer in a column; columns count from 0. A damaged file may contain any value. This method and
    /// the next ones throw if the value has the wrong type.
    package func integer(_ column: Int32) throws(DatabaseError) -> Int64 {
        guard let value = try optionalInteger(column) else {
            throw mismatch(column, "whole number")
        }
        return value
    }

    /// The integer in a column; `nil` for NULL.
    package func optionalInteger(_ column: Int32) throws(DatabaseError) -> Int64? {
        switch type(column) {
        case SQLITE_INTEGER: unsafe sqlite3_column_int64(handle, column)
        case SQLITE_NULL: nil
        default: throw mismatch(column, "whole number")
        }
    }

    /// The finite number in a column.
    package func double(_ column: Int32) throws(DatabaseError) -> Double {
        let value = unsafe sqlite3_column_double(handle, column)
        guard [SQLITE_FLOAT, SQLITE_INTEGER].contains(type(column)), value.isFinite else {
            throw mismatch(column, "number")
        }
        return value
    }

    package func optionalDouble(_ column: Int32) throws(DatabaseError) -> Double? {
        isNull(column) ? nil : try double(column)
    }

    /// The integer in a column, as a count.
    package func count(_ column: Int32) throws(DatabaseError) -> Int {
        Int(clamping: try integer(column))
    }

    package func text(_ column: Int32) throws(DatabaseError) -> String {
        guard type(column) == SQLITE_TEXT, let text = unsafe sqlite3_column_text(handle, column)
        else { throw mismatch(column, "text") }
        // A text may contain NUL.
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe String(
            decoding: UnsafeBufferPointer(start: text, count: count),
            as: UTF8.self
        )
    }

    package func optionalText(_ column: Int32) throws(DatabaseError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    package func blob(_ column: Int32) throws(DatabaseError) -> [UInt8] {
        guard type(column) == SQLITE_BLOB else { throw mismatch(column, "blob") }
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    package func optionalBlob(_ column: Int32) throws(DatabaseError) -> [UInt8]? {
        isNull(column) ? nil : try blob(column)
    }

    func type(_ column: Int32) -> Int32 { unsafe sqlite3_column_type(handle, column) }

    private func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    package func mismatch(_ column: Int32, _ expected: String) -> DatabaseError {
        let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) }
        return .mismatch("a value of '\(name ?? "")' is no \(expected)")
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the bytes at once.
    fileprivate static var copy: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}

/// A value of a column.
package protocol StatementBinding {
    /// Binds this value to a parameter of a statement; parameters count from 1. Returns a result code of
    /// SQLite.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension FixedWidthInteger {
    @unsafe package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        unsafe sqlite3_bind_int64(statement, index, Int64(clamping: self))
    }
}

extension Int: StatementBinding {}
extension Int32: StatementBinding {}
extension Int64: StatementBinding {}
extension UInt8: StatementBinding {}
extension UInt16: StatementBinding {}

extension Bool: StatementBinding {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        unsafe sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension Double: StatementBinding {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        unsafe sqlite3_bind_double(statement, index, self)
    }
}

extension String: StatementBinding {
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        let (count, copy) = (Int32(clamping: utf8.count), unsafe Statement.copy)
        return unsafe sqlite3_bind_text(statement, index, self, count, copy)
    }
}

/// Bytes as the value of a column.
package struct Blob: StatementBinding {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        let (count, copy) = (Int32(clamping: bytes.count), unsafe Statement.copy)
        return unsafe sqlite3_bind_blob(statement, index, bytes, count, copy)
    }
}

extension Database {
    package func forEachRow(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        body: (Statement) throws -> Void
    ) throws {
        try Statement(self, sql).forEachRow(values, body: body)
    }

    package func rows<Row>(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        read: (Statement) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(sql, values) { rows.append(try read($0)) }
        return rows
    }

    package func first<Row>(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        read: (Statement) throws -> Row
    ) throws -> Row? {
        try Statement(self, sql).first(values, read: read)
    }

    package func run(_ sql: String, _ values: [(any StatementBinding)?] = []) throws {
        try Statement(self, sql).run(values)
    }

    /// The values of a row, by column name.
    package typealias Values = KeyValuePairs<String, (any StatementBinding)?>

    /// Adds a row and returns its row number. If `replaces` is true, the row replaces the row with the same
    /// key.
    @discardableResult
    package func insert(_ table: String, _ row: Values, replaces: Bool = false) throws -> Int64 {
        let verb = replaces ? "INSERT OR REPLACE" : "INSERT"
        try run(Self.insertion(of: row.map(\.key), into: table, verb), row.map(\.value))
        return lastInsertedRowID
    }

    /// The SQL that adds a row. Its parameters are in the order of `columns`.
    package static func insertion(
        of columns: [String],
        into table: String,
        _ verb: String = "INSERT"
    ) -> String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// The integer result of a query without parameters; `nil` for no row or NULL.
    package func integer(_ sql: String) throws -> Int64? {
        try first(sql) { try $0.optionalInteger(0) } ?? nil
    }

    package func count(_ sql: String) throws -> Int { Int(clamping: try integer(sql) ?? 0) }
}
