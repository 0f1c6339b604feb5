import Samples

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that the user names to be read.
enum InputFile {
    /// The whole content of a small file; one that cannot be read is a failure that names it.
    static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        let chunks = try InputChunks(path)
        var bytes: [UInt8] = []
        while true {
            let chunk = try chunks.next()
            if chunk.isEmpty { return bytes }
            bytes += chunk
            guard bytes.count <= mostOctets else {
                throw Failure(.badData, "'\(path)' is larger than 16 MB; give another file")
            }
        }
    }

    private static let mostOctets = 16 << 20

    /// Says what the last call to the system said of it.
    static func unreadable(_ path: String) -> Failure {
        let reason = unsafe String(cString: strerror(errno))
        return Failure(errno == EIO ? .inputOutput : .noInput, "cannot read '\(path)': \(reason)")
    }
}

extension SamplesReader {
    /// Reads a samples file, whose suffix tells the format.
    static func read(file path: String) throws -> Recording {
        let chunks = try InputChunks(path)
        return try read(SamplesFormat(ofFile: path), file: path) { try chunks.next() }
    }
}

extension SamplesFormat {
    /// By the suffix; `nil` for any other than .csv and .jsonl.
    init?(path: String) {
        guard let suffix = path.split(separator: ".").last, path.contains(".") else { return nil }
        self.init(rawValue: suffix.lowercased())
    }

    /// As ``init(path:)``; a file with another suffix is a failure that names it.
    init(ofFile path: String) throws(Failure) {
        guard let format = SamplesFormat(path: path) else {
            throw Failure(
                .usage,
                "'\(path)' is not a samples file: its name ends in .csv or .jsonl"
            )
        }
        self = format
    }
}

/// Folders that results are written into.
enum Folder {
    /// Makes the folder where there is none.
    static func create(_ path: String, mode: mode_t = 0o777) throws(Failure) {
        guard unsafe mkdir(path, mode) != 0, errno != EEXIST else { return }
        let reason = unsafe String(cString: strerror(errno))
        throw Failure(.cannotCreate, "cannot make the folder '\(path)': \(reason)")
    }
}

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
