import CSQLite
import Catalogue
import GRDB
import GRDBSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a store: looked at, made and opened.
struct StoreFile {
    let path: String

    /// Opens what stands there, of which the header is looked at first.
    func open(
        durability: Store.Durability,
        access mode: Store.Access,
        patience: Duration
    ) throws(StoreError) -> DatabaseQueue {
        if try !StoreHeader.isFile(path) {
            guard mode == .readWrite else {
                throw StoreError(.missing, "there is no store '\(path)': sample or import first")
            }
            try create()
        }
        do {
            let queue = try DatabaseQueue(
                path: name(for: mode),
                configuration: configuration(durability, mode, patience)
            )
            try queue.inDatabase { try prepare($0, mode) }
            return queue
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private func configuration(
        _ durability: Store.Durability,
        _ mode: Store.Access,
        _ patience: Duration
    ) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = mode == .readOnly
        configuration.busyMode = .timeout(Double(patience.components.seconds))
        configuration.prepareDatabase { database in
            try StoreHeader(of: database).check(path)
            if mode == .readWrite, Self.cannotWrite(path) {
                throw DatabaseError(resultCode: .SQLITE_READONLY)
            }
            // For SQLite with GRDB, the default would be NORMAL.
            try database.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
            try database.execute(sql: "PRAGMA cache_size = -16000")
            guard unsafe csqlite_distrust(database.sqliteConnection) == SQLITE_OK else {
                throw DatabaseError(resultCode: .SQLITE_MISUSE)
            }
        }
        return configuration
    }

    /// A file that SQLite reads in a folder where it can write nothing: the name as it takes it.
    private func name(for mode: Store.Access) throws(StoreError) -> String {
        guard mode == .readOnly, Self.cannotWrite(folder) else { return plainName }
        guard unsafe access(path + "-wal", F_OK) != 0 else {
            if unsafe access(path + "-shm", R_OK) == 0 { return plainName }
            throw StoreError(
                .cannotWrite,
                "the store '\(path)' has a log (-wal) and its folder cannot be written: make the "
                    + "folder writable, or copy the store with its -wal elsewhere"
            )
        }
        // Nobody else can be writing, so that nothing needs to be locked or shared.
        var escaped = ""
        for octet in path.utf8 {
            switch octet {
            case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0x80...:
                escaped += "%" + String(octet >> 4, radix: 16) + String(octet & 15, radix: 16)
            default: escaped.unicodeScalars.append(Unicode.Scalar(octet))
            }
        }
        return "file:\(escaped)?immutable=1"
    }

    /// A relative name that begins as a URI does is none.
    private var plainName: String { path.hasPrefix("file:") ? "./" + path : path }

    private func prepare(_ database: Database, _ mode: Store.Access) throws {
        var version = 0
        // As one, since another process may be bringing the store to this version.
        try database.inTransaction(.deferred) {
            version = try database.count("PRAGMA user_version")
            guard version <= Schema.version else {
                throw StoreHeader.newer(path, UInt32(clamping: version))
            }
            if let fault = try Schema.fault(database, version: version) {
                throw StoreError.damaged(path, fault)
            }
            return .commit
        }
        guard mode == .readWrite else {
            guard version == Schema.version else {
                throw StoreError.older(path, version)
            }
            return
        }
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        if version < Schema.version {
            try database.inTransaction(.immediate) {
                try Schema.migrate(database)
                return .commit
            }
            // So that the header tells the version that the file has.
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        // Opens the log, and its index, while there are descriptors left.
        _ = try database.count("SELECT count(*) FROM pruning")
    }

    /// Makes an empty store beside its place and puts it there whole, so that nobody ever sees half
    /// of one; one that another process has put there meanwhile stays.
    private func create() throws(StoreError) {
        try makeFolder()
        StoreDraft.removeAbandoned(of: path, in: folder)
        let place = StoreDraft(of: path)
        let draft = place.path
        defer { place.remove() }
        place.remove()
        do {
            try place.make()
            let queue = try DatabaseQueue(path: draft.hasPrefix("file:") ? "./" + draft : draft)
            try queue.inDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
                try database.execute(sql: "PRAGMA application_id = \(StoreHeader.applicationID)")
                try database.inTransaction(.immediate) {
                    try Schema.migrate(database)
                    return .commit
                }
            }
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
        let lock = unsafe systemOpen(folder)
        defer { if lock >= 0 { close(lock) } }
        // Let go with the descriptor. Whoever makes a store waits here, so that no log that is set
        // aside is that of another's new store.
        let isAlone = lock >= 0 && flock(lock, LOCK_EX) == 0
        setLogAside()
        if isAlone {
            // One step: a process that is killed between link and unlink would leave its draft.
            guard unsafe access(path, F_OK) != 0 else { return }
        } else {
            guard unsafe link(draft, path) != 0, errno != EEXIST else { return syncFolder() }
        }
        guard unsafe rename(draft, path) == 0 else {
            throw StoreError(DatabaseError(resultCode: .SQLITE_CANTOPEN), path: path)
        }
        syncFolder()
    }

    /// A log without its store, which was moved or removed alone, would be played into the new one
    /// and damage it. It may hold rounds of the other, so that it is kept under another name.
    private func setLogAside() {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT else { return }
        var status = stat()
        if unsafe stat(path + "-wal", &status) == 0, status.st_size > 0 {
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
            let reason = unsafe String(cString: strerror(errno))
            // Above may be folders that only exist; the last one tells.
            guard unsafe access(made, F_OK) != 0 else { continue }
            throw StoreError(.cannotWrite, "cannot make the folder '\(made)': \(reason)")
        }
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// So that a power cut does not take the file's name away.
    private func syncFolder() {
        let descriptor = unsafe systemOpen(folder)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func cannotWrite(_ path: String) -> Bool { unsafe access(path, W_OK) != 0 }
}

/// open(2) for reading, which a method of the same name would hide.
@unsafe private func systemOpen(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_CLOEXEC)
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The name under which a process makes a new store beside its place.
struct StoreDraft {
    let path: String

    /// This process's draft of a store.
    init(of store: String) { path = "\(store).new-\(getpid())" }

    private init(path: String) { self.path = path }

    /// Makes the file, empty and for its owner alone, which its companions then are too.
    func make() throws(DatabaseError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
        close(descriptor)
    }

    func remove() {
        unsafe unlink(path)
        unsafe unlink(path + "-journal")
    }

    /// Removes what processes that were killed at it have left behind; `folder` is the store's.
    static func removeAbandoned(of store: String, in folder: String) {
        let name = store.split(separator: "/").last.map(String.init) ?? store
        let start = "\(name).new-"
        for entry in Folder.names(in: folder) where entry.hasPrefix(start) {
            guard let process = pid_t(entry.dropFirst(start.count).prefix { $0.isNumber }),
                process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            StoreDraft(path: "\(folder)/\(start)\(process)").remove()
        }
    }
}
