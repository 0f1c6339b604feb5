import CSQLite

/// A result of SQLite that is none of success, or a row that is not as it has to be.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An extended result code.
    package let code: Int32
    /// Says what is wrong, where SQLite or a reader of rows knows.
    package let message: String?
    /// The errno of the call to the system that failed; 0 where none is known.
    package let systemError: Int32

    package init(_ code: Int32, _ message: String? = nil, systemError: Int32 = 0) {
        (self.code, self.message, self.systemError) = (code, message, systemError)
    }

    /// An error with what a connection says of its last one.
    @unsafe init(_ code: Int32, of connection: OpaquePointer?) {
        // Of other errors it is that of an earlier call.
        var systemError: Int32 = 0
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) {
            systemError = unsafe sqlite3_system_errno(connection)
        }
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        self.init(code, message, systemError: systemError)
    }

    /// A row with a value that is none of its column's.
    package static func mismatch(_ fault: String) -> DatabaseError {
        DatabaseError(SQLITE_MISMATCH, fault)
    }

    /// The kind of fault, such as `SQLITE_BUSY`.
    package var primaryCode: Int32 { code & 0xff }

    package var description: String {
        if let message { return message }
        let text = unsafe sqlite3_errstr(code)
        return unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
