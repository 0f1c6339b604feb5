/// Why the simulated resolvers cannot run, and what to do.
public struct LabError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
