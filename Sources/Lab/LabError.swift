/// Why the simulated resolvers cannot run, and what to do.
package struct LabError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
