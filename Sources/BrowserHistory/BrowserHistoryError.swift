/// Why no names could be taken from a browser's history: one line, which never has an address that
/// was visited.
package struct BrowserHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// There is no such history, or it may not be read.
        case missing
        /// It is no browser's, or has no name to ask for.
        case data
        /// The private copy could not be made.
        case copy
    }

    package var kind: Kind
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
