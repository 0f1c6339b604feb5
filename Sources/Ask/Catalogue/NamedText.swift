import CData
import Failures
import LibC

/// The text of a file and its name in errors.
struct NamedText: Hashable {
    /// More bytes than any list of names needs. The limit stops reading of a device or an endless
    /// pipe.
    private static let mostBytes = 64 << 20

    var name: String
    var text: String
}

extension NamedText {
    init(name: String, bundled file: cdata_name) {
        var count = 0
        let start = unsafe cdata_bytes(file, &count)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        self.init(name: name, text: unsafe String(decoding: bytes, as: UTF8.self))
    }

    /// Reads a file.
    ///
    /// - Throws: `missingInput` if the file cannot be read, `data` if it is not UTF-8 text.
    init(file path: String) throws(CatalogueError) {
        let bytes = try Self.contents(of: path)
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw CatalogueError(.badData, "\(path.quoted) is not a text file in UTF-8; convert it")
        }
        self.init(name: path, text: text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
    }

    /// Reads a system file, whose comments may have any encoding. Bytes that are not UTF-8 are
    /// replaced.
    init(repairing path: String) throws(CatalogueError) {
        self.init(name: path, text: String(decoding: try Self.contents(of: path), as: UTF8.self))
    }

    /// Reads an optional file; `nil` if the path does not exist.
    init?(optionalFile path: String) throws(CatalogueError) {
        guard unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR else {
            return nil
        }
        // The user did not name the pipe, so that the reason for the wait would be invisible.
        guard fileStatus(path).map({ $0.st_mode & S_IFMT != S_IFIFO }) ?? true else {
            throw CatalogueError(.badData, "\(path.quoted) is a pipe; put a file there")
        }
        try self.init(file: path)
    }

    /// The lines without their line endings, of either kind.
    var lines: [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    private static func contents(of path: String) throws(CatalogueError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        // Most files are small, and each command reads some. A large buffer would take longer than they do.
        var chunk = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = readBytes(into: &chunk, from: descriptor)
            guard count >= 0 else { throw unreadable(path, errno) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= mostBytes else {
                throw CatalogueError(
                    .badData,
                    "\(path.quoted) is larger than 64 MB; give a smaller file"
                )
            }
        }
    }

    private static func unreadable(_ path: String, _ code: Int32) -> CatalogueError {
        let reason =
            switch code {
            case ENOENT, ENOTDIR: "does not exist"
            case EISDIR: "is a folder, not a file"
            case EACCES, EPERM: "may not be read by this user"
            default: "cannot be read (\(reasonOfSystem(code)))"
            }
        return CatalogueError(.noInput, "\(path.quoted) \(reason); check the path")
    }

    /// A configuration error about the value of a key at the top of the file.
    func fault(_ key: String, _ text: String) -> CatalogueError {
        let line = (try? TOMLValue.table(parsing: self.text))?.line(of: key) ?? 1
        return CatalogueError(.configuration, "\(name):\(line): '\(key)': \(text)")
    }
}

/// Folders on this machine.
package enum Folder {
    /// The names in a folder without `.` and `..`; empty if the folder cannot be read.
    package static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe Array($0.prefix { $0 != 0 })
            }
            let text = String(decoding: name, as: UTF8.self)
            if text != ".", text != ".." { names.append(text) }
        }
        return names
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }

    package var isAlphanumeric: Bool { isDigit || (0x61...0x7a).contains(self | 0x20) }
}

extension StringProtocol {
    /// The text without spaces, tabs and carriage returns at both ends.
    package var trimmingSpaces: SubSequence {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let first = firstIndex(where: { !isSpace($0) }),
            let last = lastIndex(where: { !isSpace($0) })
        else { return self[startIndex..<startIndex] }
        return self[first...last]
    }
}
