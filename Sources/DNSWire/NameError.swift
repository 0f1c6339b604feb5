/// Why a text is not a domain name, and what to write instead.
package struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    package var name: String
    /// A clause that follows the name, such as `is empty`.
    package var reason: String

    package init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    package var description: String { "'\(PresentationText.printable(name))' \(reason)" }
}
