/// The built `dnstempo`, run as a user would, but with a home of its own and loopback only.
package enum Binary {
    /// Runs it to its end; `environment` adds to and replaces the variables of `environment(home:)`.
    package static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        in folder: String? = nil,
        limit: Duration = .seconds(60)
    ) async throws -> CommandOutput {
        let home = TemporaryFolder()
        let output = try await Program.dnstempo().run(
            arguments,
            environment: self.environment(home: home.path).merging(environment) { $1 },
            input: input,
            in: folder ?? home.path,
            limit: limit
        )
        Documents.keep(output.bytes, of: arguments, in: folder ?? home.path)
        return output
    }

    /// Runs `body` beside it, to send signals or to read what it printed so far; kills it at the end.
    package static func withRunning<Result>(
        _ arguments: [String],
        environment: [String: String] = [:],
        _ body: (ChildProcess, TemporaryFolder) async throws -> Result
    ) async throws -> Result {
        let home = TemporaryFolder()
        let process = try Program.dnstempo().start(
            arguments,
            environment: self.environment(home: home.path).merging(environment) { $1 },
            in: home.path,
            files: home
        )
        do {
            let result = try await body(process, home)
            await process.stop()
            return result
        } catch {
            await process.stop()
            throw error
        }
    }

    /// No configuration, store or time zone of this machine's user, and no way off loopback.
    package static func environment(home: String) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin",
            "HOME": home,
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "DNSTEMPO_ALLOW_NET": "127.0.0.0/8,::1/128",
        ]
    }
}
