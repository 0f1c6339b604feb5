import Foundation

/// A new empty folder for one server or one run; `remove()` deletes it with all it holds.
public struct TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("dnstempo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = self.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// The path of `name` in this folder, whether it exists or not.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The bytes of a file; none where there is no such file.
    public func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? []
    }

    /// The text of a file; empty where there is no such file.
    public func text(_ name: String) -> String { String(decoding: read(name), as: UTF8.self) }

    public func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
