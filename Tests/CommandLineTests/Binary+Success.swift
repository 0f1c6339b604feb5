import Servers
import Testing

extension Binary {
    /// Runs the program to its end and expects success.
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

    /// Runs the program to its end. Expects success and an empty standard error.
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
    /// Expects success. If `isSilent` is true, also expects an empty standard error. Returns the output
    /// itself.
    @discardableResult
    func succeeded(_ location: SourceLocation, isSilent: Bool = false) -> CommandOutput {
        #expect(code == 0, "\(errors)", sourceLocation: location)
        if isSilent { #expect(errors == "", sourceLocation: location) }
        return self
    }
}
