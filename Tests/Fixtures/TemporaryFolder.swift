package import Foundation

/// A new empty folder, which is deleted with all that it holds when its last reference goes.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// A folder that cannot be made shows in the first use of it.
    package init() {
        let url = FileManager.default.temporaryDirectory.appending(path: "dnstempo-test-\(UUID())")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders that it is in, and returns its path.
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

    /// The path of `name` in this folder, whether it exists or not.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The bytes of a file; none where there is no such file.
    package func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? []
    }

    /// The text of a file; empty where there is no such file.
    package func text(_ name: String) -> String { String(decoding: read(name), as: UTF8.self) }

    /// The names of the files in it, in order.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
