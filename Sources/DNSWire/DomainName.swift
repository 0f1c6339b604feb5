/// A host name that was checked before anything is sent.
public struct DomainName: Hashable, Sendable, CustomStringConvertible {
    /// The name in presentation form (RFC 1035 §5.1), A-labels, without a final dot but for the root.
    public let description: String

    public init(_ text: String) throws(NameError) {
        guard !text.isEmpty else { throw NameError(name: text, reason: "is empty") }
        description = text
    }
}

/// Why a text is not a domain name.
public struct NameError: Error, Hashable, Sendable, CustomStringConvertible {
    public var name: String
    public var reason: String

    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }

    public var description: String { "'\(name)' \(reason)" }
}
