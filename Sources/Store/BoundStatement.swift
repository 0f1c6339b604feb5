import GRDB
import GRDBSQLite
import Samples

/// A prepared statement whose values go in and out by number.
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

    /// Binds the first parameters to values, in their order.
    func bind(_ values: [(any StatementBinding)?]) {
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
    func bind(integers values: [Int64?]) {
        for (index, value) in values.enumerated() {
            if let value {
                unsafe sqlite3_bind_int64(handle, Int32(index + 1), value)
            } else {
                unsafe sqlite3_bind_null(handle, Int32(index + 1))
            }
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

    /// Runs a statement without rows with these values, and makes it ready for the next.
    func run(_ values: [(any StatementBinding)?] = []) throws {
        bind(values)
        _ = try step()
        reset()
    }

    func run(integers values: [Int64?]) throws {
        bind(integers: values)
        _ = try step()
        reset()
    }

    /// Hands each row that there is with these values to `body`.
    func forEachRow(
        _ values: [(any StatementBinding)?] = [],
        body: (BoundStatement) throws -> Void
    ) throws {
        bind(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    /// The first row with these values, as `read` has it.
    func first<Row>(
        _ values: [(any StatementBinding)?] = [],
        read: (BoundStatement) throws -> Row
    ) throws -> Row? {
        bind(values)
        defer { reset() }
        return try step() ? read(self) : nil
    }

    /// Makes the statement ready for other values; those that are bound stay.
    func reset() { unsafe sqlite3_reset(handle) }

    /// The integer in a column, which counts from 0. A damaged file may have anything there: what
    /// is none is thrown, here and below.
    func integer(_ column: Int32) throws(DatabaseError) -> Int64 {
        guard let value = try optionalInteger(column) else {
            throw mismatch(column, "whole number")
        }
        return value
    }

    /// The integer in a column; `nil` for NULL.
    func optionalInteger(_ column: Int32) throws(DatabaseError) -> Int64? {
        switch type(column) {
        case SQLITE_INTEGER: unsafe sqlite3_column_int64(handle, column)
        case SQLITE_NULL: nil
        default: throw mismatch(column, "whole number")
        }
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

    /// A number of whatever is counted.
    func count(_ column: Int32) throws(DatabaseError) -> Int { Int(clamping: try integer(column)) }

    func moment(_ column: Int32) throws(DatabaseError) -> Timestamp {
        Timestamp(nanoseconds: try integer(column))
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

    func optionalBlob(_ column: Int32) throws(DatabaseError) -> [UInt8]? {
        isNull(column) ? nil : try blob(column)
    }

    private func type(_ column: Int32) -> Int32 { unsafe sqlite3_column_type(handle, column) }

    private func isNull(_ column: Int32) -> Bool { type(column) == SQLITE_NULL }

    private func mismatch(_ column: Int32, _ expected: String) -> DatabaseError {
        let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) }
        return .mismatch("a value of '\(name ?? "")' is no \(expected)")
    }

    /// `SQLITE_TRANSIENT`: SQLite copies the octets at once.
    fileprivate static var copy: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
}

extension DatabaseError {
    /// A row with a value that a store does not put there.
    static func mismatch(_ fault: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISMATCH, message: fault)
    }
}

/// Octets as the value of a column.
struct Blob: StatementBinding {
    let octets: [UInt8]

    func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        let (count, copy) = (Int32(clamping: octets.count), unsafe BoundStatement.copy)
        return unsafe sqlite3_bind_blob(statement, index, octets, count, copy)
    }
}

extension Database {
    func forEachRow(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        body: (BoundStatement) throws -> Void
    ) throws {
        try BoundStatement(self, sql).forEachRow(values, body: body)
    }

    func rows<Row>(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        read: (BoundStatement) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(sql, values) { rows.append(try read($0)) }
        return rows
    }

    func first<Row>(
        _ sql: String,
        _ values: [(any StatementBinding)?] = [],
        read: (BoundStatement) throws -> Row
    ) throws -> Row? {
        try BoundStatement(self, sql).first(values, read: read)
    }

    func run(_ sql: String, _ values: [(any StatementBinding)?] = []) throws {
        try BoundStatement(self, sql).run(values)
    }

    /// The values of a row, by the names of their columns.
    typealias Values = KeyValuePairs<String, (any StatementBinding)?>

    /// Adds a row, in the place of the one with its key if it `replaces` that, and returns its
    /// number.
    @discardableResult
    func insert(_ table: String, _ row: Values, replaces: Bool = false) throws -> Int64 {
        let columns = row.map(\.key).joined(separator: ", ")
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        let verb = replaces ? "INSERT OR REPLACE" : "INSERT"
        try run("\(verb) INTO \(table) (\(columns)) VALUES (\(marks))", row.map(\.value))
        return lastInsertedRowID
    }

    /// The integer that a query without parameters gives; `nil` for none or NULL.
    func integer(_ sql: String) throws -> Int64? {
        try first(sql) { try $0.optionalInteger(0) } ?? nil
    }

    func count(_ sql: String) throws -> Int { Int(clamping: try integer(sql) ?? 0) }
}
