/// Why no names could be taken from a browser's history: one line, which never has an address that
/// was visited.
public struct BrowserHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// There is no such history, or it may not be read.
        case missing
        /// It is no browser's, or has no name to ask for.
        case data
        /// The private copy could not be made.
        case copy
    }

    public var kind: Kind
    public var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
