/// Why a query could not be built.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was being built, such as `example.org TXT`.
    package var subject: String
    /// A clause that follows the subject.
    package var reason: String

    package init(subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "the query for \(subject) \(reason)" }
}
