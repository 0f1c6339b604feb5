/// Writes several files whole or not at all.
package enum OutputFiles {
    /// One file to be written.
    package struct Content: Hashable, Sendable {
        package var path: String
        package var bytes: [UInt8]
        /// Whether every user may read it (mode 0644), whatever the umask or an earlier file says.
        package var isPublic: Bool

        package init(path: String, bytes: [UInt8], isPublic: Bool = false) {
            self.path = path
            self.bytes = bytes
            self.isPublic = isPublic
        }

        package init(path: String, text: String, isPublic: Bool = false) {
            self.init(path: path, bytes: Array(text.utf8), isPublic: isPublic)
        }
    }

    /// Name for standard output; no file is written for it.
    package static let standardOutput = "-"

    /// Whether all of `paths` can be written, found out before a long run rather than after it:
    /// creates and removes a temporary file beside each. Leaves what is there as it is.
    package static func check(_ paths: [String]) throws(OutputError) {
        if paths.count(where: { $0 == standardOutput }) > 1 {
            throw .duplicate(path: standardOutput)
        }
        let files = paths.filter { $0 != standardOutput }
        for destination in try Destination.distinct(files) where !destination.isStream {
            _ = try TemporaryFile(beside: destination)
        }
    }

    /// Writes all of `contents`, each into a temporary file beside its own that takes its place
    /// once all are on the disk. On an error nothing was replaced, and the temporary files are
    /// gone. A device or pipe is written directly, before any file is replaced.
    package static func write(_ contents: [Content]) throws(OutputError) {
        if contents.count(where: { $0.path == standardOutput }) > 1 {
            throw .duplicate(path: standardOutput)
        }
        let files = contents.filter { $0.path != standardOutput }
        let staged = try StagedFiles(files.map(\.path))
        let streams = Set(staged.streams)
        // What cannot be taken back comes last.
        for index in files.indices where !streams.contains(index) {
            if files[index].isPublic { try staged.publish(index) }
            try staged.append(files[index].bytes, to: index)
        }
        for index in streams.sorted() { try staged.append(files[index].bytes, to: index) }
        try staged.commit()
    }
}

extension Destination {
    /// Where each of `paths` leads, each to another place.
    static func distinct(_ paths: [String]) throws(OutputError) -> [Destination] {
        var found: [Destination] = []
        for path in paths {
            let destination = try Destination(path: path)
            if !destination.isStream, found.contains(where: destination.isSameFile) {
                throw .duplicate(path: path)
            }
            found.append(destination)
        }
        return found
    }
}

/// Why an output cannot be written, or was not asked for rightly.
package enum OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The suffix names no format.
    case unknownSuffix(path: String)
    /// Two outputs would be the same file, or both standard output.
    case duplicate(path: String)
    /// Nothing can be written there; nothing was changed.
    case unwritable(path: String, reason: String)

    package var path: String {
        switch self {
        case .unknownSuffix(let path), .duplicate(let path), .unwritable(let path, _): path
        }
    }

    /// EX_USAGE or EX_CANTCREAT of sysexits(3).
    package var exitCode: Int32 {
        switch self {
        case .unknownSuffix, .duplicate: 64
        case .unwritable: 73
        }
    }

    package var description: String {
        let path = EscapedText.terminal(path)
        switch self {
        case .unknownSuffix:
            let known = OutputFormat.allCases.map { ".\($0.suffix)" }.joined(separator: ", ")
            return "cannot tell the format of '\(path)': end its name in one of \(known)"
        case .duplicate:
            return "'\(path)' is asked for twice: give each output a name of its own"
        case .unwritable(_, let reason):
            return "cannot write '\(path)': \(reason)"
        }
    }
}

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

/// Files that are written piece by piece, of any size, and take their places together: on an error
/// before, nothing was replaced, and what was written is gone. A device or pipe cannot be replaced
/// and is written directly.
package final class StagedFiles {
    private enum Part {
        case file(TemporaryFile)
        case stream(StreamFile)
    }

    private let parts: [Part]

    /// Opens a temporary file beside each of `paths`, which must lead to different files.
    package init(_ paths: [String]) throws(OutputError) {
        var parts: [Part] = []
        for destination in try Destination.distinct(paths) {
            parts.append(
                destination.isStream
                    ? .stream(try StreamFile(destination))
                    : .file(try TemporaryFile(beside: destination))
            )
        }
        self.parts = parts
    }

    /// The files by their position that are streams.
    var streams: [Int] {
        parts.indices.filter {
            if case .stream = parts[$0] { true } else { false }
        }
    }

    /// Adds `bytes` to the file at `index` of the paths.
    package func append(_ bytes: [UInt8], to index: Int) throws(OutputError) {
        switch parts[index] {
        case .file(let file): try file.append(bytes)
        case .stream(let stream): try stream.file.write(bytes)
        }
    }

    /// Has every user read the file at `index` of the paths.
    func publish(_ index: Int) throws(OutputError) {
        if case .file(let file) = parts[index] { try file.setMode(0o644) }
    }

    /// Puts all on the disk and then into their places.
    package func commit() throws(OutputError) {
        var staged: [TemporaryFile] = []
        for case .file(let file) in parts {
            try file.synchronize()
            staged.append(file)
        }
        try Self.replace(staged)
    }

    /// All or none: where one cannot be put into its place, those before it go back.
    static func replace(_ staged: [TemporaryFile]) throws(OutputError) {
        for (index, file) in staged.enumerated() {
            do throws(OutputError) {
                try file.replace()
            } catch {
                for earlier in staged[..<index] { earlier.restore() }
                throw error
            }
        }
    }
}

/// Shared owner of a descriptor that cannot be copied.
private final class StreamFile {
    let file: OpenFile

    init(_ destination: Destination) throws(OutputError) {
        file = try OpenFile(stream: destination)
    }
}

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
