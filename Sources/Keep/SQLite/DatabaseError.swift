import CSQLite

/// A result code of SQLite other than success, or an invalid row.
package struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An extended result code.
    package let code: Int32
    /// The description of the error, if SQLite or the reader of the rows gives one.
    package let message: String?
    /// The errno of the failed system call; 0 if none is known.
    package let systemError: Int32

    package init(_ code: Int32, _ message: String? = nil, systemError: Int32 = 0) {
        (self.code, self.message, self.systemError) = (code, message, systemError)
    }

    /// Creates an error with the message of the connection's last error.
    @unsafe init(_ code: Int32, of connection: OpaquePointer?) {
        // For all other errors, the errno belongs to an earlier call.
        var systemError: Int32 = 0
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff) {
            systemError = unsafe sqlite3_system_errno(connection)
        }
        let message = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        self.init(code, message, systemError: systemError)
    }

    /// The error for a value that its column does not allow.
    package static func mismatch(_ fault: String) -> DatabaseError {
        DatabaseError(SQLITE_MISMATCH, fault)
    }

    /// The primary result code, such as `SQLITE_BUSY`.
    package var primaryCode: Int32 { code & 0xff }

    package var description: String {
        if let message { return message }
        let text = unsafe sqlite3_errstr(code)
        return unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
    }
}
