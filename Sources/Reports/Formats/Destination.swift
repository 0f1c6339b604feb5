#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a path leads, as the file system says.
struct Destination: Hashable {
    /// As it was given, for messages.
    let path: String
    /// The directory, without symbolic links.
    let directory: String
    let name: String
    /// File that is there now.
    let existing: Existing?

    struct Existing: Hashable {
        var device: UInt64
        var inode: UInt64
        var mode: mode_t
    }

    /// A device, a pipe or a socket: cannot be replaced, only written.
    var isStream: Bool {
        guard let mode = existing?.mode else { return false }
        return mode & S_IFMT != S_IFREG
    }

    /// Follows symbolic links, so that they stay and their target is replaced.
    init(path: String) throws(OutputError) {
        let (directory, name) = Self.split(path)
        guard !name.isEmpty, !path.utf8.contains(0) else {
            throw .unwritable(path: path, reason: "it names no file")
        }
        guard let resolved = Self.resolve(directory) else {
            throw .unwritable(path: path, reason: "its directory: \(Self.lastError)")
        }
        let full = resolved + "/" + name
        var status = stat()
        guard unsafe stat(full, &status) == 0 else {
            let reason = Self.lastError
            guard unsafe lstat(full, &status) != 0 else {
                throw .unwritable(path: path, reason: "its symbolic link leads to no file")
            }
            guard errno == ENOENT else { throw .unwritable(path: path, reason: reason) }
            self.init(path: path, directory: resolved, name: name, existing: nil)
            return
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .unwritable(path: path, reason: "it is a directory")
        }
        let existing = Existing(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino),
            mode: status.st_mode
        )
        let target = status.st_mode & S_IFMT == S_IFREG ? Self.resolve(full) ?? full : full
        let (place, last) = Self.split(target)
        self.init(path: path, directory: place, name: last, existing: existing)
    }

    private init(path: String, directory: String, name: String, existing: Existing?) {
        self.path = path
        self.directory = directory
        self.name = name
        self.existing = existing
    }

    /// The file that is or will be there.
    var fullPath: String { directory == "/" ? "/" + name : directory + "/" + name }

    /// Whether both lead to one file.
    func isSameFile(_ other: Destination) -> Bool {
        if let existing, let theirs = other.existing {
            return existing.device == theirs.device && existing.inode == theirs.inode
        }
        return fullPath == other.fullPath
    }

    /// The directory and the last component.
    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (
            directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...])
        )
    }

    /// The path without symbolic links; `nil` where there is no such file.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Words for errno.
    static var lastError: String { description(ofError: errno) }

    static func description(ofError code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
