#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that the user names, read piece by piece.
final class InputChunks {
    private let path: String
    private let descriptor: Int32
    private var chunk = [UInt8](repeating: 0, count: 1 << 20)

    /// Opens the file; one that cannot be read is a failure that names it.
    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFile.unreadable(path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next octets; none at the end.
    func next() throws(Failure) -> [UInt8] {
        let count = unsafe chunk.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        guard count >= 0 else { throw InputFile.unreadable(path) }
        return Array(chunk[..<count])
    }
}
