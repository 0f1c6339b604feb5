package import Failures
import LibC

/// Writes several files completely, or none of them.
package enum OutputFiles {
    /// The name for standard output; no file is written for it.
    package static let standardOutput = "-"

    /// Checks before a long run whether all of `paths` can be written. Creates and removes a temporary file
    /// next to each. Existing files are unchanged.
    package static func check(_ paths: [String]) throws(Failure) {
        for destination in try Destination.distinct(paths) where !destination.isStream {
            _ = try OutputFile(destination)
        }
    }

    /// Writes all of `contents` with ``StagedFiles``. A device or pipe is written before any file is
    /// replaced. With `isPublic`, every user may read the files (mode 0644), regardless of the umask or of an
    /// earlier file.
    package static func write(
        _ contents: [(path: String, bytes: [UInt8])],
        isPublic: Bool = false
    ) throws(Failure) {
        let staged = try StagedFiles(contents.map(\.path))
        if isPublic { for file in staged.files where !file.isStream { try file.setMode(0o644) } }
        for index in staged.order { try staged.append(contents[index].bytes, to: index) }
        try staged.commit()
    }
}

/// Files of any size that are written in pieces and put into place together. If an error occurs before, no
/// file is replaced, and the written data is deleted. A device or pipe cannot be replaced and is written
/// directly.
package final class StagedFiles {
    fileprivate let files: [OutputFile]

    /// Opens a temporary file next to each of `paths`, which must lead to different files.
    package init(_ paths: [String]) throws(Failure) {
        files = try Destination.distinct(paths).map(OutputFile.init)
    }

    /// The indices of the paths in the order of writing. Streams come last, because their output cannot be
    /// undone.
    package var order: [Int] {
        files.indices.filter { !files[$0].isStream } + files.indices.filter { files[$0].isStream }
    }

    /// Appends `bytes` to the file at `index` of the paths.
    package func append(_ bytes: [UInt8], to index: Int) throws(Failure) {
        try files[index].append(bytes)
    }

    /// Writes all files to the disk and then puts them into place, all or none. If one file fails, the files
    /// before it are restored.
    package func commit() throws(Failure) {
        let staged = files.filter { !$0.isStream }
        for file in staged { try file.synchronize() }
        for (index, file) in staged.enumerated() {
            do throws(Failure) {
                try file.replace()
            } catch {
                for earlier in staged[..<index] { earlier.restore() }
                throw error
            }
        }
    }
}

/// A stream, or a temporary file next to the file that it will replace. `deinit` removes temporary files.
private final class OutputFile {
    private let destination: Destination
    private let descriptor: Int32
    private let path: String
    /// A second link to the replaced file, for its restoration.
    private let backup: String
    private var isInPlace = false

    var isStream: Bool { destination.isStream }

    /// Opens a stream, or creates a file that must not exist. The file has the permissions of the file that
    /// it will replace, or 0666 without the umask.
    init(_ destination: Destination) throws(Failure) {
        self.destination = destination
        let number = UInt64.random(in: 0...UInt64.max)
        let base = "\(destination.directory)/.dnstempo-\(getpid())-" + String(number, radix: 36)
        path = destination.isStream ? destination.fullPath : base + ".tmp"
        backup = base + ".old"
        let creation = destination.isStream ? 0 : O_CREAT | O_EXCL
        descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | creation, 0o666)
        try check(descriptor >= 0)
        if let existing = destination.existing, !isStream { try setMode(existing.st_mode) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        if isStream { return }
        if !isInPlace { unsafe unlink(path) }
        unsafe unlink(backup)
    }

    /// Throws the error of the last system call, unless it succeeded.
    private func check(_ succeeded: Bool) throws(Failure) {
        guard succeeded else { throw .unwritable(destination.path, reasonOfSystem()) }
    }

    func setMode(_ mode: mode_t) throws(Failure) {
        try check(fchmod(descriptor, mode & 0o7777) == 0)
    }

    func append(_ bytes: [UInt8]) throws(Failure) {
        try check(writeAll(bytes[...], to: descriptor))
    }

    /// Waits until the content is on the disk.
    func synchronize() throws(Failure) { try check(fsync(descriptor) == 0) }

    /// Replaces the destination atomically.
    func replace() throws(Failure) {
        // Some file systems have no links. Without a link, only the restoration is impossible.
        unsafe link(destination.fullPath, backup)
        try check(unsafe rename(path, destination.fullPath) == 0)
        isInPlace = true
    }

    func restore() {
        if destination.existing == nil {
            unsafe unlink(destination.fullPath)
        } else {
            unsafe rename(backup, destination.fullPath)
        }
    }
}

extension Failure {
    /// The path cannot be written; nothing was changed.
    static func unwritable(_ path: String, _ reason: String) -> Failure {
        Failure(.cannotCreate, "cannot write '\(path)': \(reason)")
    }
}
