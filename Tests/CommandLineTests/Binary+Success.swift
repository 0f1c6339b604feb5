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
        try await run(
            arguments,
            environment: environment,
            input: input,
            in: folder,
            limit: limit
        ).succeeded(location)
    }

    /// The same, without a word on standard error.
    @discardableResult
    static func succeedSilently(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) async throws -> CommandOutput {
        try await run(arguments, environment: environment, in: folder)
            .succeeded(location, isSilent: true)
    }
}

extension CommandOutput {
    /// The same, of a command that is to be a success, and to print nothing on standard error where it
    /// `isSilent`.
    @discardableResult
    func succeeded(_ location: SourceLocation, isSilent: Bool = false) -> CommandOutput {
        #expect(code == 0, "\(errors)", sourceLocation: location)
        if isSilent { #expect(errors == "", sourceLocation: location) }
        return self
    }
}
