/// What a finished command left behind.
package struct CommandOutput: Sendable {
    package let status: ExitStatus
    /// Standard output, as bytes and as text.
    package let bytes: [UInt8]
    /// Standard error.
    package let errors: String

    package init(status: ExitStatus, bytes: [UInt8], errors: String) {
        (self.status, self.bytes, self.errors) = (status, bytes, errors)
    }

    package var output: String { String(decoding: bytes, as: UTF8.self) }

    /// The exit code; `nil` where a signal ended it.
    package var code: Int32? {
        guard case .code(let code) = status else { return nil }
        return code
    }
}

extension Program {
    /// Runs it to its end, in `folder` where one is given; what takes longer than `limit` is killed.
    ///
    /// The environment holds what is passed and nothing else of the caller's.
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

    /// Starts it with its output in the files `output` and `errors` of `files`.
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
