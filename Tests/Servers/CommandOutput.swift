/// The result of a finished command.
package struct CommandOutput: Sendable {
    package let status: ExitStatus
    /// Standard output as bytes. `output` contains it as text.
    package let bytes: [UInt8]
    /// Standard error as text.
    package let errors: String

    package init(status: ExitStatus, bytes: [UInt8], errors: String) {
        (self.status, self.bytes, self.errors) = (status, bytes, errors)
    }

    package var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The exit code; `nil` if a signal ended the command.
    package var code: Int32? {
        guard case .code(let code) = status else { return nil }
        return code
    }
}

extension Program {
    /// Runs the program and waits for its end, in `folder` if it is given. After `limit` the program is
    /// killed.
    ///
    /// The environment of the program contains only the variables of `environment`.
    package func run(
        _ arguments: [String],
        environment: [String: String] = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
        input: String = "",
        in folder: String? = nil,
        limit: Duration = .seconds(60)
    ) async throws -> CommandOutput {
        let files = TemporaryFolder()
        let process = try start(
            arguments,
            environment: environment,
            input: input,
            in: folder,
            files: files
        )
        let status = await process.end(within: limit)
        return CommandOutput(
            status: status,
            bytes: files.read("output"),
            errors: files.text("errors")
        )
    }

    /// Starts the program. Its output goes to the files `output` and `errors` in the folder `files`.
    package func start(
        _ arguments: [String],
        environment: [String: String],
        input: String = "",
        in folder: String? = nil,
        files: TemporaryFolder
    ) throws -> ChildProcess {
        var program = self
        var arguments = arguments
        if let folder {
            arguments = ["-c", "cd \"$0\" && exec \"$@\"", folder, path] + arguments
            program = try Program("sh", package: "dash")
        }
        return try ChildProcess(
            program,
            arguments,
            environment: environment,
            input: input.isEmpty ? "/dev/null" : try files.write(input, to: "input"),
            output: files.file("output"),
            errors: files.file("errors")
        )
    }
}
