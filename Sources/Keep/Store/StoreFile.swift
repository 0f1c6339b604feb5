import CSQLite
import Catalogue
import Failures
import Files
import LibC
import SQLite
import Samples

/// The file of a store: its check, its creation and its opening.
struct StoreFile {
    let path: String
    private let mode: Store.Access
    /// The file's state before it was opened, if its readers hold no lock. They hold no lock if the file or
    /// its folder is not writable and there is no log.
    private let unlocked: FileState?

    init(path: String, access mode: Store.Access) {
        (self.path, self.mode) = (path, mode)
        let isUnlocked = mode == .readOnly && Self.isForReading(path)
        unlocked = isUnlocked && !Self.hasLog(path) ? FileState(path) : nil
    }

    /// Opens the store after a check of its header. A writer creates a missing store.
    func queue(
        durability: Store.Durability,
        patience: Duration
    ) throws(StoreError) -> DatabaseQueue {
        if try !StoreHeader.isFile(path) {
            guard mode == .readWrite else {
                throw StoreError(.noInput, "there is no store '\(path)': sample or import first")
            }
            try create()
        }
        return try naming {
            let queue = try DatabaseQueue(
                path: name(),
                access: mode == .readOnly ? .readOnly : .readWrite,
                patience: patience
            ) { database in
                try StoreHeader(of: database).check(path)
                if mode == .readWrite, Self.cannotWrite(path) {
                    throw DatabaseError(SQLITE_READONLY, systemError: errno)
                }
                try database.execute("PRAGMA synchronous = \(durability.rawValue)")
                // In KiB. A reader reads each page once.
                try database.execute("PRAGMA cache_size = -\(mode == .readOnly ? 4000 : 16_000)")
                try database.distrust()
            }
            try queue.inDatabase { database in
                try prepare(database)
                if mode == .readWrite, durability == .full { try synchronise(database) }
            }
            return queue
        }
    }

    /// Runs `body`, which uses the store. Its errors name the store.
    func naming<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        let result = Result(catching: body)
        // The result may mix two states of the file, and none of its errors gives the reason.
        guard !isChanged else { throw StoreError.changed(path) }
        do { return try result.get() } catch { throw StoreError(error, path: path) }
    }

    /// Whether the store must be opened again to show what was written since.
    var isOutdated: Bool { isChanged || (unlocked != nil && Self.hasLog(path)) }

    /// Whether another process wrote to it, although its readers hold no lock.
    private var isChanged: Bool { unlocked.map { FileState(path) != $0 } ?? false }

    private static func hasLog(_ path: String) -> Bool { unsafe access(path + "-wal", F_OK) == 0 }

    /// Whether this user may only read the store. Files that SQLite wrote next to it would belong to this
    /// user, and the owner could no longer write the store.
    private static func isForReading(_ path: String) -> Bool {
        cannotWrite(folder(of: path)) || cannotWrite(path)
    }

    /// The file's name in the form for SQLite. In a folder where SQLite can write nothing, the form is a URI.
    private func name() throws(StoreError) -> String {
        guard mode == .readOnly, Self.isForReading(path) else { return Self.plain(path) }
        guard unlocked != nil else {
            let isShared = unsafe access(path + "-shm", R_OK) == 0
            if isShared || !Self.cannotWrite(folder) { return Self.plain(path) }
            throw StoreError(
                .cannotCreate,
                "the store '\(path)' has a log (-wal) and its folder cannot be written: make the "
                    + "folder writable, or copy the store with its -wal elsewhere"
            )
        }
        // A user who may write to the folder can still write. The file's later state reveals this.
        let escaped = path.percentEncoded { $0 < 0x80 && !"%?#".utf8.contains($0) }
        return "file:\(escaped)?immutable=1"
    }

    /// SQLite reads relative names with these prefixes as URIs and as databases in memory.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    }

    private func prepare(_ database: Database) throws {
        var version = 0
        // In one transaction, because another process may be migrating the store.
        try database.transaction(.deferred) {
            version = try database.count("PRAGMA user_version")
            guard version <= Schema.version else {
                throw StoreHeader.newer(path, UInt32(clamping: version))
            }
            // The version in the file's header was checked, but a log can change it.
            guard version > 0 else { throw StoreError.damaged(path, "its version is \(version)") }
            if let fault = try Schema.fault(database, version: version) {
                throw StoreError.damaged(path, fault)
            }
        }
        guard mode == .readWrite else {
            guard version == Schema.version else {
                throw StoreError.older(path, version)
            }
            return
        }
        try database.execute("PRAGMA journal_mode = WAL")
        if version < Schema.version {
            try database.transaction(.immediate) { try Schema.migrate(database) }
            // The header then contains the version of the file.
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        // Opens the log and its index while file descriptors are available.
        _ = try database.count("SELECT count(*) FROM pruning")
    }

    /// Makes the commits in the log durable. SQLite also applies a commit whose synchronisation failed, or whose
    /// process ended before it. The rounds of such a commit would otherwise count as stored. The log's pages are
    /// written to the file, because a second synchronisation of the log reports no error (fsync(2)).
    private func synchronise(_ database: Database) throws {
        try database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }

    /// Creates an empty store next to its final place and moves it there, so that no process sees an
    /// incomplete store. A store that another process has put there since then remains.
    private func create() throws(StoreError) {
        try makeFolder()
        removeAbandonedDrafts()
        let draft = drafts + String(getpid())
        defer { Self.remove(draft) }
        Self.remove(draft)
        do {
            // The file is empty and accessible only to its owner. Its companion files inherit this.
            let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw DatabaseError(SQLITE_CANTOPEN, systemError: errno)
            }
            close(descriptor)
            // The queue is closed at the end of this statement.
            try DatabaseQueue(path: Self.plain(draft), access: .readWrite).inDatabase { database in
                try database.execute("PRAGMA synchronous = FULL")
                try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
                try database.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
                try database.transaction(.immediate) { try Schema.migrate(database) }
                // In the final place, a process that is killed here would leave a journal that no reader can
                // roll back.
                try database.execute("PRAGMA journal_mode = WAL")
            }
        } catch {
            throw StoreError(error, path: path)
        }
        let directory = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        // The lock ends with the descriptor. Other processes that create a store wait here. The log that is
        // set aside is therefore never the log of their new store.
        let isAlone = directory >= 0 && flock(directory, LOCK_EX) == 0
        // After a power cut, the folder must still contain the file's name.
        defer { fsync(directory) }
        setLogAside()
        if isAlone {
            // A single step: a process that is killed between link and unlink would leave its draft.
            guard unsafe access(path, F_OK) != 0 else { return }
        } else {
            guard unsafe link(draft, path) != 0, errno != EEXIST else { return }
        }
        guard unsafe rename(draft, path) == 0 else {
            throw StoreError(DatabaseError(SQLITE_CANTOPEN, systemError: errno), path: path)
        }
    }

    /// The prefix of the names under which processes create a store. A process number follows.
    private var drafts: String { "\(path).new-" }

    private static func remove(_ draft: String) {
        for companion in ["", "-journal", "-wal", "-shm"] { unsafe unlink(draft + companion) }
    }

    /// Removes the files that processes left when they were killed during the creation.
    private func removeAbandonedDrafts() {
        let name = drafts.split(separator: "/").last ?? ""
        for entry in Folder.names(in: folder) where entry.hasPrefix(name) {
            guard let process = pid_t(entry.dropFirst(name.count).prefix { $0.isNumber }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            Self.remove("\(drafts)\(process)")
        }
    }

    /// Sets aside a log whose store was moved or removed alone. SQLite would apply it to the new store and
    /// damage this. The log may contain rounds of the old store, so that it is kept under another name.
    private func setLogAside() {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT else { return }
        if let status = fileStatus(path + "-wal"), status.st_size > 0 {
            unsafe rename(path + "-wal", path + "-wal.left")
        } else {
            unsafe unlink(path + "-wal")
        }
        unsafe unlink(path + "-shm")
    }

    /// Creates the folders of the store, accessible only to their owner, as XDG requires.
    private func makeFolder() throws(StoreError) {
        var made = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            made += part
            defer { made += "/" }
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = reasonOfSystem()
            // mkdir can fail for a parent folder that exists, for example because it is not writable.
            guard unsafe access(made, F_OK) != 0 else { continue }
            throw StoreError(.cannotCreate, "cannot make the folder '\(made)': \(reason)")
        }
    }

    private var folder: String { Self.folder(of: path) }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func cannotWrite(_ path: String) -> Bool { unsafe access(path, W_OK) != 0 }
}
