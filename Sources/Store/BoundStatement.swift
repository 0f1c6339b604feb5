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

    /// The integer in a column, which counts from 0; 0 for NULL.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// The integer in a column, which counts from 0.
    func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

    func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }

    func text(_ column: Int32) -> String? {
        guard let text = unsafe sqlite3_column_text(handle, column) else { return nil }
        return unsafe String(cString: text)
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the octets at once.
    private static var copy: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}
