import Foundation

/// A new empty folder for one server or one run; `remove()` deletes it with all it holds.
package struct TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("dnstempo-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Writes a file, with the folders that it is in, and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        let file = URL(fileURLWithPath: self.file(name))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Writes a program that can be run at once, and returns its path. A shell of its own writes it: a
    /// process that another test starts meanwhile could inherit this one's open file, which nothing
    /// can run (ETXTBSY, execve(2)).
    @discardableResult
    package func writeProgram(_ text: String, to name: String) throws -> String {
        let file = self.file(name)
        let shell = try Spawn.run(
            "/bin/sh",
            ["-c", #"printf %s "$2" > "$1" && chmod 755 "$1""#, "sh", file, text],
            environment: ["PATH": "/usr/bin:/bin"],
            descriptors: [nil, nil, nil]
        )
        var status: Int32 = 0
        while unsafe waitpid(shell, &status, 0) < 0, SystemError.last == EINTR {}
        guard status == 0 else { throw ServerError("cannot write \(file)") }
        return file
    }

    /// The path of `name` in this folder, whether it exists or not.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The bytes of a file; none where there is no such file.
    package func read(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) } ?? []
    }

    /// The text of a file; empty where there is no such file.
    package func text(_ name: String) -> String { String(decoding: read(name), as: UTF8.self) }

    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
