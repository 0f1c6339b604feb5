import CSQLite
import Catalogue
import Failures
import Files
import LibC
import SQLite
import Samples

/// The file of a store: looked at, made and opened.
struct StoreFile {
    let path: String
    private let mode: Store.Access
    /// The file's state before it was opened, where its readers hold no lock: where the file or its
    /// folder may not be written, and it has no log.
    private let unlocked: FileState?

    init(path: String, access mode: Store.Access) {
        (self.path, self.mode) = (path, mode)
        let isUnlocked = mode == .readOnly && Self.isForReading(path)
        unlocked = isUnlocked && !Self.hasLog(path) ? FileState(path) : nil
    }

    /// Opens what stands there, of which the header is looked at first.
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
                // KiB: who reads goes through what there is once.
                try database.execute("PRAGMA cache_size = -\(mode == .readOnly ? 4000 : 16_000)")
                try database.distrust()
            }
            try queue.inDatabase { try prepare($0) }
            return queue
        }
    }

    /// Has errors of `body`, which uses the store, name it.
    func naming<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        let result = Result(catching: body)
        // What was read may be of before and after, and no error of it says what is wrong.
        guard !isChanged else { throw StoreError.changed(path) }
        do { return try result.get() } catch { throw StoreError(error, path: path) }
    }

    /// Whether it has to be opened again to tell of what was written since.
    var isOutdated: Bool { isChanged || (unlocked != nil && Self.hasLog(path)) }

    /// Whether somebody wrote into it though its readers hold no lock.
    private var isChanged: Bool { unlocked.map { FileState(path) != $0 } ?? false }

    private static func hasLog(_ path: String) -> Bool { unsafe access(path + "-wal", F_OK) == 0 }

    /// Whether this user may read the store alone. What SQLite would write beside it belongs to this
    /// user then, and its owner could not write the store any more.
    private static func isForReading(_ path: String) -> Bool {
        cannotWrite(folder(of: path)) || cannotWrite(path)
    }

    /// A file that SQLite reads in a folder where it can write nothing: the name as it takes it.
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
        // Whoever is writing nevertheless, as who may write in the folder, is found by what the file is then.
        let escaped = path.percentEncoded { $0 < 0x80 && !"%?#".utf8.contains($0) }
        return "file:\(escaped)?immutable=1"
    }

    /// SQLite reads relative names with these beginnings as URIs and as databases in memory.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    }

    private func prepare(_ database: Database) throws {
        var version = 0
        // As one, since another process may be bringing the store to this version.
        try database.transaction(.deferred) {
            version = try database.count("PRAGMA user_version")
            guard version <= Schema.version else {
                throw StoreHeader.newer(path, UInt32(clamping: version))
            }
            // The file's own was looked at, but not what a log makes of it.
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
            // So that the header tells the version that the file has.
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        // Opens the log, and its index, while there are descriptors left.
        _ = try database.count("SELECT count(*) FROM pruning")
    }

    /// Makes an empty store beside its place and puts it there whole, so that nobody ever sees half
    /// of one; one that another process has put there meanwhile stays.
    private func create() throws(StoreError) {
        try makeFolder()
        removeAbandonedDrafts()
        let draft = drafts + String(getpid())
        defer { Self.remove(draft) }
        Self.remove(draft)
        do {
            // Empty and for its owner alone, which its companions then are too.
            let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw DatabaseError(SQLITE_CANTOPEN, systemError: errno)
            }
            close(descriptor)
            // Closed at the end of this.
            try DatabaseQueue(path: Self.plain(draft), access: .readWrite).inDatabase { database in
                try database.execute("PRAGMA synchronous = FULL")
                try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
                try database.execute("PRAGMA application_id = \(StoreHeader.applicationID)")
                try database.transaction(.immediate) { try Schema.migrate(database) }
                // Of a process that is killed over this in the store's place, a journal would be
                // left that no reader can roll back.
                try database.execute("PRAGMA journal_mode = WAL")
            }
        } catch {
            throw StoreError(error, path: path)
        }
        let directory = unsafe open(folder, O_RDONLY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        // Let go with the descriptor. Whoever makes a store waits here, so that no log that is set
        // aside is that of another's new store.
        let isAlone = directory >= 0 && flock(directory, LOCK_EX) == 0
        // So that a power cut does not take the file's name away.
        defer { fsync(directory) }
        setLogAside()
        if isAlone {
            // One step: a process that is killed between link and unlink would leave its draft.
            guard unsafe access(path, F_OK) != 0 else { return }
        } else {
            guard unsafe link(draft, path) != 0, errno != EEXIST else { return }
        }
        guard unsafe rename(draft, path) == 0 else {
            throw StoreError(DatabaseError(SQLITE_CANTOPEN, systemError: errno), path: path)
        }
    }

    /// The names under which processes make a store, up to their numbers.
    private var drafts: String { "\(path).new-" }

    private static func remove(_ draft: String) {
        for companion in ["", "-journal", "-wal", "-shm"] { unsafe unlink(draft + companion) }
    }

    /// Removes what processes that were killed at it have left behind.
    private func removeAbandonedDrafts() {
        let name = drafts.split(separator: "/").last ?? ""
        for entry in Folder.names(in: folder) where entry.hasPrefix(name) {
            guard let process = pid_t(entry.dropFirst(name.count).prefix { $0.isNumber }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            Self.remove("\(drafts)\(process)")
        }
    }

    /// A log without its store, which was moved or removed alone, would be played into the new one
    /// and damage it. It may hold rounds of the other, so that it is kept under another name.
    private func setLogAside() {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT else { return }
        if let status = fileStatus(path + "-wal"), status.st_size > 0 {
            unsafe rename(path + "-wal", path + "-wal.left")
        } else {
            unsafe unlink(path + "-wal")
        }
        unsafe unlink(path + "-shm")
    }

    /// The folders down to the store's, readable for their owner alone, as XDG wants it.
    private func makeFolder() throws(StoreError) {
        var made = folder.hasPrefix("/") ? "/" : ""
        for part in folder.split(separator: "/") {
            made += part
            defer { made += "/" }
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = reasonOfSystem()
            // Above may be folders that only exist; the last one tells.
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
