package import Failures
import LibC

/// Writes several files whole or not at all.
package enum OutputFiles {
    /// Name for standard output; no file is written for it.
    package static let standardOutput = "-"

    /// Whether all of `paths` can be written, found out before a long run rather than after it:
    /// creates and removes a temporary file beside each. Leaves what is there as it is.
    package static func check(_ paths: [String]) throws(Failure) {
        for destination in try Destination.distinct(paths) where !destination.isStream {
            _ = try OutputFile(destination)
        }
    }

    /// Writes all of `contents`, as ``StagedFiles`` does, a device or pipe before any file is
    /// replaced. Where `isPublic`, every user may read them (mode 0644), whatever the umask or an
    /// earlier file says.
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

/// Files that are written piece by piece, of any size, and take their places together: on an error
/// before, nothing was replaced, and what was written is gone. A device or pipe cannot be replaced
/// and is written directly.
package final class StagedFiles {
    fileprivate let files: [OutputFile]

    /// Opens a temporary file beside each of `paths`, which must lead to different files.
    package init(_ paths: [String]) throws(Failure) {
        files = try Destination.distinct(paths).map(OutputFile.init)
    }

    /// The places of the paths in the order of writing: what cannot be taken back comes last.
    package var order: [Int] {
        files.indices.filter { !files[$0].isStream } + files.indices.filter { files[$0].isStream }
    }

    /// Adds `bytes` to the file at `index` of the paths.
    package func append(_ bytes: [UInt8], to index: Int) throws(Failure) {
        try files[index].append(bytes)
    }

    /// Puts all on the disk and then into their places, all or none: where one cannot be put there,
    /// those before it go back.
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

/// A stream, or a file beside the one that it will replace. What it leaves behind, `deinit` removes.
private final class OutputFile {
    private let destination: Destination
    private let descriptor: Int32
    private let path: String
    /// A second link to the file that was replaced, to bring it back by.
    private let backup: String
    private var isInPlace = false

    var isStream: Bool { destination.isStream }

    /// Opens a stream; else creates a file that must not exist yet, with the permissions of the one
    /// that it will replace, or 0666 less the umask.
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

    /// Throws what the last call to the system said, unless it succeeded.
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

    /// Takes the destination's place, in one step.
    func replace() throws(Failure) {
        // Not every file system has links; without one, only the way back is missing.
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
    /// Nothing can be written there; nothing was changed.
    static func unwritable(_ path: String, _ reason: String) -> Failure {
        Failure(.cannotCreate, "cannot write '\(path)': \(reason)")
    }
}
