import CSQLite
package import Failures
import LibC
import SQLite
import Statistics

/// Why a store cannot be used: one line that names its file and says what to do.
package struct StoreError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    package var description: String
    /// The part that is not as it was written, where the file is a store and damaged.
    package private(set) var damage: String?
    /// Whether it was read only, and is of a version before this one.
    package private(set) var isOfOlderVersion = false

    init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    /// An error of SQLite with the store at `path`.
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self =
                switch error {
                case let error as StoreError: error
                case is SketchError: .damaged(path, "\(error)")
                default: StoreError(.inputOutput, "the store '\(path)': \(error)")
                }
            return
        }
        // What SQLite says of a file system without locks is that another process has them.
        if [SQLITE_BUSY, SQLITE_IOERR].contains(error.primaryCode),
            let fault = Self.fileSystemFault(path)
        {
            self = fault
            return
        }
        let reason =
            error.systemError == 0 ? "" : " (\(reasonOfSystem(error.systemError)))"
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            status = .busy
            description =
                "the store '\(path)' is locked: another process is writing to it; try again later"
        // Even a reader needs a little space beside the store.
        case SQLITE_FULL,
            SQLITE_IOERR where Self.isDiskFull(path),
            _ where [ENOSPC, EDQUOT].contains(error.systemError):
            status = .inputOutput
            description =
                "the disk is full: nothing more can be stored in '\(path)', and what was stored "
                + "before is safe; free some space"
        case SQLITE_IOERR:
            status = .inputOutput
            description =
                "the disk fails under the store '\(path)'\(reason): see what the system's log says, and "
                + "copy the store to another disk"
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            status = .cannotCreate
            description =
                "cannot write the store '\(path)'\(reason): make the file and its folder writable, or name "
                + "another with --store"
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG:
            self = .damaged(path, "\(error)")
        default:
            status = .inputOutput
            description =
                "the store '\(path)': \(error)"
        }
    }

    /// The error where a file beside the store cannot be locked or mapped; `nil` where it can, or none
    /// can be made.
    private static func fileSystemFault(_ path: String) -> StoreError? {
        var isMap: Int32 = 0
        let code = unsafe csqlite_file_system_fault("\(path).trial-\(getpid())", &isMap)
        guard code != 0 else { return nil }
        let missing = isMap == 0 ? "file locks" : "shared memory maps"
        return StoreError(
            .cannotCreate,
            "the file system under the store '\(path)' has no \(missing) (\(reasonOfSystem(code))), which a "
                + "store needs: name a store on another disk with --store"
        )
    }

    /// Whether less is free than the index of the log takes.
    private static func isDiskFull(_ path: String) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
    }

    /// A reader cannot bring a store to this version.
    static func older(_ path: String, _ version: Int) -> StoreError {
        var error = StoreError(
            .badData,
            "the store '\(path)' is of an older version (\(version)): store a round, or run "
                + "dnstempo store check --store '\(path)' where it can be written"
        )
        error.isOfOlderVersion = true
        return error
    }

    /// Where the folder can be written, its readers and writers keep out of each other's way.
    static func changed(_ path: String) -> StoreError {
        StoreError(
            .busy,
            "the store '\(path)' was written while it was read, and nothing in its folder may be written "
                + "that would keep the two apart: try again"
        )
    }

    static func prunedMeanwhile(_ path: String) -> StoreError {
        StoreError(.busy, "the store '\(path)' was pruned while it was read: try again")
    }

    /// Nobody can tell which part of an hour's sums is of the rounds that another store has too.
    static func inseparable(_ what: String, _ advice: String) -> StoreError {
        StoreError(
            .badData,
            "\(what): in hours of which samples are pruned they have a part of the rounds in common"
                + "; \(advice)"
        )
    }

    /// The error where another store's sums would make those of an hour more than it can have.
    static let excessive = StoreError(
        .badData,
        "the hourly sums of both stores together are more than an hour can have: nothing was added; "
            + "report on each alone"
    )

    /// The file is a store, and something in it is not as it was written.
    static func damaged(_ path: String, _ what: String) -> StoreError {
        var error = StoreError(
            .badData,
            "the store '\(path)' is damaged (\(what)); nothing was changed: keep a copy, see what "
                + "dnstempo store check says, and name another with --store"
        )
        error.damage = what
        return error
    }
}
