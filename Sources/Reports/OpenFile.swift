#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Sole owner of a descriptor that is open for writing; `deinit` closes it.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    /// For messages.
    private let path: String

    /// Opens what cannot be replaced.
    init(stream destination: Destination) throws(OutputError) {
        path = destination.path
        descriptor = unsafe open(destination.fullPath, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw .unwritable(path: path, reason: Destination.lastError) }
    }

    /// Creates a file that must not exist yet, for the output `path`; its mode is 0666 less the
    /// umask.
    init(creating name: String, for path: String) throws(OutputError) {
        self.path = path
        descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw .unwritable(path: path, reason: Destination.lastError) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Gives the file the permissions of another.
    func setMode(_ mode: mode_t) throws(OutputError) {
        if fchmod(descriptor, mode & 0o7777) != 0 {
            throw .unwritable(path: path, reason: Destination.lastError)
        }
    }

    /// Writes all of `bytes`.
    func write(_ bytes: [UInt8]) throws(OutputError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]))
            }
            if count < 0, errno != EINTR {
                throw .unwritable(path: path, reason: Destination.lastError)
            }
            written += max(0, count)
        }
    }

    /// Waits until the content is on the disk.
    func synchronize() throws(OutputError) {
        if fsync(descriptor) != 0 {
            throw .unwritable(path: path, reason: Destination.lastError)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
