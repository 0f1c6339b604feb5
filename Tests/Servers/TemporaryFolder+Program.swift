@_exported public import Fixtures
import Foundation

extension TemporaryFolder {
    /// Writes an executable program and returns its path.
    ///
    /// A separate shell writes the file. Otherwise a process of another test could inherit the open file. A
    /// file that is open for writing cannot be executed (ETXTBSY, execve(2)).
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
}
