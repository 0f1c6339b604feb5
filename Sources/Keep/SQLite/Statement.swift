import CSQLite

/// A prepared statement whose values go in and out by number.
@safe package struct Statement {
    /// Keeps ``handle`` alive.
    private let prepared: Database.Prepared
    private let handle: OpaquePointer

    /// The statement of that text; the database keeps it prepared.
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

    /// Binds integers, without a box for each: for the rows that there are millions of.
    package func bind(integers values: [Int64?]) {
        for (index, value) in values.enumerated() {
            if let value {
                unsafe sqlite3_bind_int64(handle, Int32(index + 1), value)
            } else {
                unsafe sqlite3_bind_null(handle, Int32(index + 1))
            }
        }
    }

    /// Goes to the next row; `false` after the last.
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

    /// Runs a statement without rows with these values, and makes it ready for the next.
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

    /// Hands each row that there is with these values to `body`.
    package func forEachRow(
        _ values: [(any StatementBinding)?] = [],
        body: (Statement) throws -> Void
    ) throws {
        bind(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    /// The first row with these values, as `read` has it.
    package func first<Row>(
        _ values: [(any StatementBinding)?] = [],
        read: (Statement) throws -> Row
    ) throws -> Row? {
        bind(values)
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Makes the statement ready for other values; those that are bound stay.
    package func reset() { unsafe sqlite3_reset(handle) }

    /// The integer in a column, which counts from 0. A damaged file may have anything there: what
    /// is none is thrown, here and below.
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

    /// The number in a column, which is finite.
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

    /// A number of whatever is counted.
    package func count(_ column: Int32) throws(DatabaseError) -> Int {
        Int(clamping: try integer(column))
    }

    package func text(_ column: Int32) throws(DatabaseError) -> String {
        guard type(column) == SQLITE_TEXT, let text = unsafe sqlite3_column_text(handle, column)
        else { throw mismatch(column, "text") }
        // A text may have NUL within.
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

    /// `SQLITE_TRANSIENT`: SQLite copies the octets at once.
    fileprivate static var copy: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}

/// A value of a column.
package protocol StatementBinding {
    /// Binds a parameter of a statement, which counts from 1, to it; a result code of SQLite.
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

/// Octets as the value of a column.
package struct Blob: StatementBinding {
    package let octets: [UInt8]

    package init(octets: [UInt8]) { self.octets = octets }

    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        let (count, copy) = (Int32(clamping: octets.count), unsafe Statement.copy)
        return unsafe sqlite3_bind_blob(statement, index, octets, count, copy)
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

    /// The values of a row, by the names of their columns.
    package typealias Values = KeyValuePairs<String, (any StatementBinding)?>

    /// Adds a row, in the place of the one with its key if it `replaces` that, and returns its
    /// number.
    @discardableResult
    package func insert(_ table: String, _ row: Values, replaces: Bool = false) throws -> Int64 {
        let verb = replaces ? "INSERT OR REPLACE" : "INSERT"
        try run(Self.insertion(of: row.map(\.key), into: table, verb), row.map(\.value))
        return lastInsertedRowID
    }

    /// SQL that adds a row, whose values are parameters in the order of `columns`.
    package static func insertion(
        of columns: [String],
        into table: String,
        _ verb: String = "INSERT"
    ) -> String {
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        return "\(verb) INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// The integer that a query without parameters gives; `nil` for none or NULL.
    package func integer(_ sql: String) throws -> Int64? {
        try first(sql) { try $0.optionalInteger(0) } ?? nil
    }

    package func count(_ sql: String) throws -> Int { Int(clamping: try integer(sql) ?? 0) }
}
