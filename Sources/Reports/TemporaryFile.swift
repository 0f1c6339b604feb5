#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file beside the one that it will replace. What it leaves behind, `deinit` removes.
final class TemporaryFile {
    let destination: Destination
    private let file: OpenFile
    private let path: String
    /// A second link to the file that was replaced, to bring it back by.
    private let backup: String
    private var isInPlace = false

    /// Creates it, empty, with the permissions of the file that is there.
    init(beside destination: Destination) throws(OutputError) {
        self.destination = destination
        let number = UInt64.random(in: 0...UInt64.max)
        let base = "\(destination.directory)/.dnstempo-\(getpid())-" + String(number, radix: 36)
        path = base + ".tmp"
        backup = base + ".old"
        file = try OpenFile(creating: path, for: destination.path)
        if let existing = destination.existing { try file.setMode(existing.mode) }
    }

    deinit {
        if !isInPlace { unsafe unlink(path) }
        unsafe unlink(backup)
    }

    /// Gives it other permissions than the file that is there.
    func setMode(_ mode: mode_t) throws(OutputError) { try file.setMode(mode) }

    /// Adds `bytes` at its end.
    func append(_ bytes: [UInt8]) throws(OutputError) { try file.write(bytes) }

    /// Waits until all is on the disk.
    func synchronize() throws(OutputError) { try file.synchronize() }

    /// Takes the destination's place, in one step.
    func replace() throws(OutputError) {
        // Not every file system has links; without one, only the way back is missing.
        unsafe link(destination.fullPath, backup)
        if unsafe rename(path, destination.fullPath) != 0 {
            throw .unwritable(path: destination.path, reason: Destination.lastError)
        }
        isInPlace = true
    }

    /// Brings back what was there before ``replace()``.
    func restore() {
        guard isInPlace else { return }
        if destination.existing == nil {
            unsafe unlink(destination.fullPath)
        } else {
            unsafe rename(backup, destination.fullPath)
        }
    }
}
