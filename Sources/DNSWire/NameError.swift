/// Why a text is not a domain name, and what to write instead.
public struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was given.
    public var name: String
    /// A clause that follows the name, such as `is empty`.
    public var reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "'\(PresentationText.printable(name))' \(reason)" }
}
