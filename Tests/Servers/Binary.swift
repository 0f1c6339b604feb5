/// Runs the built `dnstempo` as a user would. Each run has its own home folder and may contact only loopback.
package enum Binary {
    /// Runs `dnstempo` and waits for its end. `environment` adds or replaces variables of
    /// `environment(home:)`.
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

    /// Runs `body` while `dnstempo` is running, and stops `dnstempo` afterwards. `body` can send signals and
    /// read the output so far.
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

    /// An environment without the configuration, the store and the time zone of this machine's user. It
    /// allows traffic on loopback only.
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
