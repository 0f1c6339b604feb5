package import Foundation

/// A new, empty folder. When the last reference is released, the folder and its contents are deleted.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// Creates the folder. An error appears only at the first use of the folder.
    package init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "dnstempo-test-\(UUID())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, creates its parent folders, and returns the file's path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    package func write(_ bytes: some DataProtocol, to name: String) throws -> String {
        let file = URL(fileURLWithPath: self.file(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        return file.path
    }

    /// Returns the path of `name` in this folder. The file need not exist.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Returns the bytes of a file; empty if the file does not exist.
    package func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? []
    }

    /// Returns the text of a file; empty if the file does not exist.
    package func text(_ name: String) -> String { String(decoding: read(name), as: UTF8.self) }

    /// The names of the files in this folder, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
