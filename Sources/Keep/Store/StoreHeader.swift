import CSQLite
import Catalogue
import Failures
import Files
import LibC
import SQLite

/// The first 100 bytes of a file, read before SQLite uses the file.
///
/// Source: "SQLite Database File Format", §1.3.
struct StoreHeader {
    /// The text "dnst", which distinguishes a store from other databases.
    static let applicationID: UInt32 = 0x646e_7374
    private static let magic = Array("SQLite format 3\0".utf8)

    private var bytes = [UInt8](repeating: 0, count: 100)
    private var size: sqlite3_int64 = 0

    /// Reads the header of the file that a connection has opened, before the connection reads anything else.
    init(of database: Database) throws(DatabaseError) {
        let connection = unsafe database.connection
        let code = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe csqlite_header(connection, bytes.baseAddress, Int32(bytes.count), &size)
        }
        guard code == SQLITE_OK else { throw DatabaseError(code) }
    }

    /// Whether a file is at `path`. Throws if it is not a regular file that can be read.
    static func isFile(_ path: String) throws(StoreError) -> Bool {
        guard let status = fileStatus(path), unsafe access(path, R_OK) == 0 else {
            // If a part of the path is a file, there is no store either.
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw StoreError(
                errno == EIO ? .inputOutput : .noInput,
                "cannot read the store '\(path)': \(reasonOfSystem())"
            )
        }
        guard status.isRegular else {
            throw StoreError(.badData, "'\(path)' is not a file: name a store with --store")
        }
        return true
    }

    /// Rejects a file that is not a store of this version or an older version.
    func check(_ path: String) throws(StoreError) {
        guard size >= 100, bytes.starts(with: Self.magic), number(68) == Self.applicationID
        else {
            let compression = Compression(beginning: bytes)
            throw StoreError(
                .badData,
                compression?.refusal(of: path)
                    ?? "'\(path)' is not a store of dnstempo, and was left as it is: name another "
                    + "with --store"
            )
        }
        guard number(60) <= UInt32(Schema.version) else { throw Self.newer(path, number(60)) }
        guard number(60) > 0, bytes[18] <= 2, bytes[19] <= 2,
            bytes[21...23].elementsEqual([64, 32, 32]), number(44) == 4, number(56) == 1
        else { throw StoreError.damaged(path, "its header is not valid") }
        // While there is a log, the file may be shorter than the header states.
        let hasLog = unsafe access(path + "-wal", F_OK) == 0
        let pages = sqlite3_int64(number(28))
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1,
            hasLog || number(24) != number(92) || size >= pages * sqlite3_int64(pageSize)
        else { throw StoreError.damaged(path, "it is cut short") }
    }

    /// The error of a store that a newer version created.
    static func newer(_ path: String, _ version: UInt32) -> StoreError {
        StoreError(
            .badData,
            "the store '\(path)' was made by a newer dnstempo (version \(version) of the store, "
                + "this one knows \(Schema.version)): use that one"
        )
    }

    private var pageSize: Int {
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size == 1 ? 65_536 : size
    }

    private func number(_ offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
