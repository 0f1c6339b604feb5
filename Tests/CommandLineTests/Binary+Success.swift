import Servers
import Testing

extension Binary {
    /// Runs it to its end, which is to be a success.
    @discardableResult
    static func succeed(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String = "",
        in folder: String? = nil,
        limit: Duration = .seconds(60),
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandOutput {
        let run = try await run(
            arguments,
            environment: environment,
            input: input,
            in: folder,
            limit: limit
        )
        #expect(run.code == 0, "\(run.errors)", sourceLocation: location)
        return run
    }

    /// The same, without a word on standard error.
    @discardableResult
    static func succeedSilently(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandOutput {
        let run = try await succeed(
            arguments,
            environment: environment,
            in: folder,
            location: location
        )
        #expect(run.errors == "", sourceLocation: location)
        return run
    }
}
