import CSQLite

/// A connection to a database, for one thread at a time.
@safe package final class Database {
    package enum Access: Sendable {
        case readOnly, readWrite
        /// Creates the database if it does not exist.
        case create
    }

    /// The time at which a transaction takes its lock.
    package enum TransactionKind: String, Sendable {
        /// At the first statement that needs the lock.
        case deferred
        /// At once. It waits for other writers.
        case immediate
    }

    /// A statement that the connection keeps prepared.
    @safe final class Prepared {
        let handle: OpaquePointer

        init(_ handle: OpaquePointer) { unsafe self.handle = handle }

        deinit { unsafe sqlite3_finalize(handle) }
    }

    /// The handle for C functions.
    package let connection: OpaquePointer
    private var statements: [String: Prepared] = [:]

    /// Opens the database at `path`, which may be a URI or `:memory:`. A writer waits up to `patience` for
    /// other writers.
    init(path: String, _ access: Access, patience: Duration) throws(DatabaseError) {
        let mode =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var opened: OpaquePointer?
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let error = unsafe sqlite3_system_errno(opened)
            unsafe sqlite3_close_v2(opened)
            throw DatabaseError(code, systemError: error)
        }
        unsafe connection = opened
        unsafe sqlite3_extended_result_codes(connection, 1)
        let wait = patience / .milliseconds(1)
        unsafe sqlite3_busy_timeout(connection, Int32(min(max(0, wait), Double(Int32.max))))
        try execute("PRAGMA foreign_keys = ON")
    }

    // Statements that are still referenced keep the connection open (close_v2).
    deinit { unsafe sqlite3_close_v2(connection) }

    /// The prepared statement of an SQL text.
    func prepared(_ sql: String) throws(DatabaseError) -> Prepared {
        if let known = statements[sql] { return known }
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try check(unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &handle, nil))
        guard let handle = unsafe handle else { throw DatabaseError(SQLITE_MISUSE, "no statement") }
        let prepared = unsafe Prepared(handle)
        statements[sql] = prepared
        return prepared
    }

    /// Runs statements without parameters, and ignores their rows.
    package func execute(_ sql: String) throws(DatabaseError) {
        try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil))
    }

    /// Some errors end a transaction: SQLite then rolls it back itself.
    private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(connection) == 0 }

    /// Runs `body` in a transaction, which may write if it is immediate. An error rolls back all changes.
    package func transaction<Value>(
        _ kind: TransactionKind,
        _ body: () throws -> Value
    ) throws -> Value {
        try execute("BEGIN \(kind.rawValue)")
        do {
            let value = try body()
            // A body that only reads may continue after such an error, as the check of a store does.
            if kind == .immediate || isInTransaction { try execute("COMMIT") }
            return value
        } catch {
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// The number of rows that the last statement changed.
    package var changesCount: Int { Int(unsafe sqlite3_changes(connection)) }

    package var lastInsertedRowID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

    /// Restricts the connection for files from elsewhere, see `csqlite_distrust`.
    package func distrust() throws(DatabaseError) {
        try check(unsafe csqlite_distrust(connection))
    }

    /// Moves the content of the write-ahead log (-wal) into the database file. Throws if other connections
    /// use the file.
    package func foldLog() throws(DatabaseError) {
        try check(
            unsafe sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        )
    }

    /// Releases cached pages and prepared statements.
    func releaseMemory() {
        statements = [:]
        unsafe sqlite3_db_release_memory(connection)
    }

    /// Replaces the content of the other database with the content of this one.
    func copy(to other: Database) throws(DatabaseError) {
        guard let backup = unsafe sqlite3_backup_init(other.connection, "main", connection, "main")
        else { throw unsafe DatabaseError(SQLITE_ERROR, of: other.connection) }
        unsafe sqlite3_backup_step(backup, -1)
        try other.check(unsafe sqlite3_backup_finish(backup))
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw unsafe DatabaseError(code, of: connection) }
    }
}

/// A connection that threads use in turn.
@safe package final class DatabaseQueue: Sendable {
    // Safe because only the holder of the mutex uses the connection.
    private nonisolated(unsafe) let database: Database
    // Safe because a mutex can be used from several threads.
    private nonisolated(unsafe) let mutex: OpaquePointer

    /// Opens the database at `path`. `prepare` runs before all other uses of the connection.
    package init(
        path: String,
        access: Database.Access = .create,
        patience: Duration = .zero,
        prepare: (Database) throws -> Void = { _ in }
    ) throws {
        let opened = try Database(path: path, access, patience: patience)
        guard let mutex = unsafe sqlite3_mutex_alloc(SQLITE_MUTEX_FAST) else {
            throw DatabaseError(SQLITE_NOMEM)
        }
        unsafe (self.mutex, database) = (mutex, opened)
        try prepare(opened)
    }

    /// Opens an empty database in memory.
    package convenience init() throws { try self.init(path: ":memory:") }

    /// Opens an empty database with a page cache of this number of KiB in memory. SQLite keeps the remaining
    /// pages in a temporary file without a name (SQLite, In-Memory Databases, "Temporary Databases").
    package convenience init(inMemory kibibytes: Int) throws {
        try self.init(path: "") { database in
            try database.execute(
                "PRAGMA cache_size = -\(kibibytes); PRAGMA journal_mode = MEMORY; "
                    + "PRAGMA synchronous = OFF"
            )
        }
    }

    deinit { unsafe sqlite3_mutex_free(mutex) }

    package func inDatabase<Value>(_ body: (Database) throws -> Value) rethrows -> Value {
        unsafe sqlite3_mutex_enter(mutex)
        defer { unsafe sqlite3_mutex_leave(mutex) }
        return try unsafe body(database)
    }

    /// Runs `body` on one snapshot of the database.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try inDatabase { database in try database.transaction(.deferred) { try body(database) } }
    }

    /// Runs `body` in one write transaction.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try inDatabase { database in try database.transaction(.immediate) { try body(database) } }
    }

    package func releaseMemory() { inDatabase { $0.releaseMemory() } }

    /// Replaces the content of the other database with the content of this one.
    package func copy(to other: DatabaseQueue) throws {
        try inDatabase { own in try other.inDatabase { try own.copy(to: $0) } }
    }
}
