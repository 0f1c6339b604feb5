import Catalogue
import Failures
import Files
import LibC

/// A private copy of a database and its log, which a browser may be writing.
enum HistoryCopy {
    /// The files of a database, as suffixes of its name.
    private static let parts = ["", "-wal", "-journal"]
    /// The files that SQLite creates next to a copy.
    private static let leftovers = parts + ["-shm"]

    private static let tries = 20

    /// Copies the files, and repeats this if the browser wrote during the copy. Passes the copy's
    /// path to `body`. The path is valid until `body` returns.
    static func use<Result>(
        of database: String,
        in parent: String,
        _ body: (String) throws -> Result
    ) throws -> Result {
        var template = Array("\(parent)/dnstempo-history-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw cannot("make a folder in '\(parent)'", .cannotCreate)
        }
        let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
        let folder = String(decoding: bytes, as: UTF8.self)
        let path = "\(folder)/copy"
        defer {
            for part in leftovers { unsafe unlink(path + part) }
            unsafe rmdir(folder)
        }
        for _ in 1...tries {
            let before = parts.map { FileState(database + $0) }
            for part in parts { try copy(database + part, to: path + part) }
            if parts.map({ FileState(database + $0) }) == before { return try body(path) }
        }
        throw Failure.history(
            .noInput,
            "'\(database)' is being written; close the browser, then try again"
        )
    }

    /// Copies a file. Only the database itself must exist.
    private static func copy(_ source: String, to target: String) throws {
        unsafe unlink(target)
        let input = unsafe open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else {
            if errno == ENOENT, !target.hasSuffix("/copy") { return }
            throw cannot("read '\(source)'", .noInput)
        }
        defer { close(input) }
        let output = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw cannot("write '\(target)'", .cannotCreate) }
        defer { close(output) }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            try Task.checkCancellation()
            let count = readBytes(into: &chunk, from: input)
            guard count >= 0 else { throw cannot("read '\(source)'", .noInput) }
            if count == 0 { return }
            guard writeAll(chunk[..<count], to: output) else {
                throw cannot("write '\(target)'", .cannotCreate)
            }
        }
    }

    /// The failure of the last system call, described by `deed`.
    private static func cannot(_ deed: String, _ status: ExitStatus) -> Failure {
        .history(status, "cannot \(deed): \(reasonOfSystem())")
    }
}
