/// Why a query could not be built.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being built, such as `example.org TXT`.
    public var subject: String
    /// A clause that follows the subject.
    public var reason: String

    public init(subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    public var description: String { "the query for \(subject) \(reason)" }
}
