import CSQLite
package import Failures
import LibC
import SQLite
import Statistics

/// The reason why a store cannot be used, as one line that names its file and says what to do.
package struct StoreError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    package var description: String
    /// The part that is not as it was written, if the file is a damaged store.
    package private(set) var damage: String?
    /// Whether the store was opened only for reading, and has an older version.
    package private(set) var isOfOlderVersion = false

    init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description
    }

    /// Converts an SQLite error of the store at `path`.
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
        // On a file system without locks, SQLite reports that another process holds them.
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
        // Even a reader needs some space next to the store.
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

    /// The error if a file next to the store cannot be locked or mapped; `nil` if it can be, or if no file
    /// can be created.
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

    /// Whether the free space is less than the size of the log's index.
    private static func isDiskFull(_ path: String) -> Bool {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return false }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
    }

    /// The error of a reader, which cannot migrate a store to this version.
    static func older(_ path: String, _ version: Int) -> StoreError {
        var error = StoreError(
            .badData,
            "the store '\(path)' is of an older version (\(version)): store a round, or run "
                + "dnstempo store check --store '\(path)' where it can be written"
        )
        error.isOfOlderVersion = true
        return error
    }

    /// The error of a store that was written while it was read. If the folder is writable, locks prevent
    /// this.
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

    /// The error of sums that cannot be separated. They do not show which part belongs to the rounds that
    /// another store also has.
    static func inseparable(_ what: String, _ advice: String) -> StoreError {
        StoreError(
            .badData,
            "\(what): in hours of which samples are pruned they have a part of the rounds in common"
                + "; \(advice)"
        )
    }

    /// The error if the sums of both stores exceed the maximum of an hour.
    static let excessive = StoreError(
        .badData,
        "the hourly sums of both stores together are more than an hour can have: nothing was added; "
            + "report on each alone"
    )

    /// The error of a store in which a part is not as it was written.
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
