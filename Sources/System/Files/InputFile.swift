package import Failures
import LibC

/// Reads small files completely.
package enum InputFile {
    /// The whole content of a small file. Throws a failure that names the file if it cannot be read.
    package static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        try bytes(of: InputChunks(path))
    }

    /// The whole content of an open file.
    package static func bytes(of chunks: InputChunks) throws(Failure) -> [UInt8] {
        let path = chunks.path
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunks.next()
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= mostBytes else {
                throw Failure(.badData, "'\(path)' is larger than 16 MB; give another file")
            }
        }
    }

    /// The text of a file that describes the system; `nil` if it cannot be read.
    package static func text(ofSystem path: String) -> String? {
        (try? bytes(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static let mostBytes = 16 << 20
}

/// A file that is read in chunks.
package final class InputChunks {
    package let path: String
    /// The first bytes, if ``beginning()`` has read them and ``next()`` has not returned them.
    private var looked: [UInt8]?
    private var isAtStart = true
    private let descriptor: Int32

    package convenience init(_ path: String) throws(Failure) {
        try self.init(path, descriptor: unsafe open(path, O_RDONLY | O_CLOEXEC))
    }

    /// Takes ownership of a file that was opened for reading. A negative descriptor means that opening
    /// failed, with the reason in errno.
    package init(_ path: String, descriptor: Int32) throws(Failure) {
        self.path = path
        self.descriptor = descriptor
        guard descriptor >= 0 else { throw unreadable }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The first bytes of the file. ``next()`` still returns them.
    package func beginning() throws(Failure) -> [UInt8] {
        let first = try next()
        looked = first
        return first
    }

    package func next() throws(Failure) -> [UInt8] {
        if let first = looked {
            looked = nil
            return first
        }
        var count = 0
        // Unused capacity costs no memory. Most files are small, and some are read at each start.
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { room, filled in
            count = uninterrupted { unsafe read(descriptor, room.baseAddress, room.count) }
            filled = max(0, count)
        }
        guard count >= 0 else { throw unreadable }
        if isAtStart, let compression = Compression(beginning: chunk) {
            throw Failure(.badData, compression.refusal(of: path))
        }
        isAtStart = false
        return chunk
    }

    private var unreadable: Failure {
        let status: ExitStatus = errno == EIO ? .inputOutput : .noInput
        return Failure(status, "cannot read '\(path)': \(reasonOfSystem())")
    }
}
