import GRDB
import GRDBSQLite

/// A prepared statement whose values go in and out by number, without boxes: for the rows that
/// there are millions of.
@safe struct BoundStatement {
    /// Keeps ``handle`` alive.
    private let statement: Statement
    private let handle: OpaquePointer

    /// The statement of that text; the database keeps it prepared.
    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        unsafe handle = statement.sqliteStatement
        reset()
    }

    /// Binds to the parameter at `index`, which counts from 1.
    func bind(_ value: Int64?, at index: Int32) {
        if let value {
            unsafe sqlite3_bind_int64(handle, index, value)
        } else {
            unsafe sqlite3_bind_null(handle, index)
        }
    }

    func bind(_ value: Double?, at index: Int32) {
        if let value {
            unsafe sqlite3_bind_double(handle, index, value)
        } else {
            unsafe sqlite3_bind_null(handle, index)
        }
    }

    func bind(_ value: String?, at index: Int32) {
        guard let value else {
            unsafe sqlite3_bind_null(handle, index)
            return
        }
        unsafe sqlite3_bind_text(handle, index, value, Int32(clamping: value.utf8.count), Self.copy)
    }

    func bind(blob value: [UInt8], at index: Int32) {
        unsafe value.withUnsafeBytes { octets in
            _ = unsafe sqlite3_bind_blob(
                handle,
                index,
                octets.baseAddress,
                Int32(clamping: octets.count),
                Self.copy
            )
        }
    }

    /// Goes to the next row; `false` after the last.
    func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            reset()
            let message = unsafe sqlite3_errmsg(sqlite3_db_handle(handle)).map {
                unsafe String(cString: $0)
            }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Runs a statement without rows, and makes it ready for the next values.
    func run() throws {
        _ = try step()
        reset()
    }

    /// Makes the statement ready for other values; those that are bound stay.
    func reset() { unsafe sqlite3_reset(handle) }

    /// The integer in a column, which counts from 0. A damaged file may have anything there: what
    /// is none is thrown, here and below.
    func integer(_ column: Int32) throws(DatabaseError) -> Int64 {
        let value = unsafe sqlite3_column_int64(handle, column)
        guard type(column) == SQLITE_INTEGER else { throw mismatch(column, "whole number") }
        return value
    }

    /// The integer in a column; `nil` for NULL.
    func optionalInteger(_ column: Int32) throws(DatabaseError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    /// The number in a column, which is finite.
    func double(_ column: Int32) throws(DatabaseError) -> Double {
        let value = unsafe sqlite3_column_double(handle, column)
        guard [SQLITE_FLOAT, SQLITE_INTEGER].contains(type(column)), value.isFinite else {
            throw mismatch(column, "number")
        }
        return value
    }

    func optionalDouble(_ column: Int32) throws(DatabaseError) -> Double? {
        isNull(column) ? nil : try double(column)
    }

    func text(_ column: Int32) throws(DatabaseError) -> String {
        guard type(column) == SQLITE_TEXT, let text = unsafe sqlite3_column_text(handle, column)
        else { throw mismatch(column, "text") }
        return unsafe String(cString: text)
    }

    func optionalText(_ column: Int32) throws(DatabaseError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// The text in a column that names something, which is not long.
    func name(_ column: Int32) throws(DatabaseError) -> String {
        let text = try text(column)
        guard text.utf8.count <= 255 else { throw mismatch(column, "name of 255 octets at most") }
        return text
    }

    func blob(_ column: Int32) throws(DatabaseError) -> [UInt8] {
        guard type(column) == SQLITE_BLOB else { throw mismatch(column, "blob") }
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func type(_ column: Int32) -> Int32 { unsafe sqlite3_column_type(handle, column) }

    private func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    private func mismatch(_ column: Int32, _ expected: String) -> DatabaseError {
        let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) }
        return DatabaseError(
            resultCode: .SQLITE_MISMATCH,
            message: "a value of '\(name ?? "")' is no \(expected)"
        )
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the octets at once.
    private static var copy: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}

extension Database {
    /// The integer that a query without parameters gives; `nil` for none or NULL.
    func integer(_ sql: String) throws -> Int64? {
        let statement = try BoundStatement(self, sql)
        defer { statement.reset() }
        return try statement.step() ? statement.optionalInteger(0) : nil
    }

    /// A number of rows.
    func count(_ sql: String) throws -> Int { Int(clamping: try integer(sql) ?? 0) }
}
