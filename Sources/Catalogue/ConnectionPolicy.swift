/// Which connection carries a query over an encrypted transport.
package enum ConnectionPolicy: String, Hashable, Sendable, CaseIterable {
    /// One of its own, with a full handshake.
    case fresh
    /// The one that an earlier query opened, as long as it stands.
    case reuse
    /// One of its own, that goes on with an earlier session where the other end has given a ticket.
    case resume
}

extension ConnectionPolicy {
    /// Reads one of the words.
    package init(parsing text: String) throws(CatalogueError) {
        try self.init(word: text, of: "choice of connections")
    }
}
