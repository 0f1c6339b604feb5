import Failures
import LibC

/// The file that a path leads to.
struct Destination {
    /// The path as the user gave it, for messages.
    let path: String
    /// The path of the existing or future file, without symbolic links.
    let fullPath: String
    let existing: stat?

    var directory: String { Self.split(fullPath).directory }

    /// Whether it is a device, a pipe or a socket. A stream cannot be replaced, only written.
    var isStream: Bool { existing.map { !$0.isRegular } ?? false }

    /// Follows symbolic links: the links are kept and their target is replaced.
    init(path: String) throws(Failure) {
        self.path = path
        let (directory, name) = Self.split(path)
        guard !name.isEmpty, !path.utf8.contains(0) else {
            throw .unwritable(path, "it names no file")
        }
        guard let resolved = Self.resolve(directory) else {
            throw .unwritable(path, "its directory: \(reasonOfSystem())")
        }
        let full = (resolved == "/" ? "" : resolved) + "/" + name
        guard let status = fileStatus(full) else {
            let reason = reasonOfSystem()
            var link = stat()
            guard unsafe lstat(full, &link) != 0 else {
                throw .unwritable(path, "its symbolic link leads to no file")
            }
            guard errno == ENOENT else { throw .unwritable(path, reason) }
            (fullPath, existing) = (full, nil)
            return
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .unwritable(path, "it is a directory")
        }
        fullPath = status.isRegular ? Self.resolve(full) ?? full : full
        existing = status
    }

    /// The destinations of `paths`. Throws if two of them are the same file.
    static func distinct(_ paths: [String]) throws(Failure) -> [Destination] {
        var found: [Destination] = []
        for path in paths {
            let destination = try Destination(path: path)
            if !destination.isStream, found.contains(where: destination.isSameFile) {
                throw .usage("'\(path)' is asked for twice: give each output a name of its own")
            }
            found.append(destination)
        }
        return found
    }

    private func isSameFile(_ other: Destination) -> Bool {
        if let existing, let theirs = other.existing {
            return existing.st_dev == theirs.st_dev && existing.st_ino == theirs.st_ino
        }
        return fullPath == other.fullPath
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = path[..<slash]
        return (
            directory.isEmpty ? "/" : String(directory), String(path[path.index(after: slash)...])
        )
    }

    /// The path without symbolic links; `nil` if the file does not exist.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
