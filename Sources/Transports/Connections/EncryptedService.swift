package import Catalogue

/// Whom an encrypted transport asks, by what it knows that it is them, and over which connections.
package struct EncryptedService: Sendable {
    let endpoint: Endpoint
    let address: SocketAddress
    /// What the certificate has to name.
    let name: String
    let credentials: TLSCredentials
    let connections: ConnectionPolicy
    let isAllowed: Bool

    /// The service at `endpoint`, whose certificate has to be that of `name`, by default of its
    /// address; outside `allowed` every exchange is `blocked`.
    package init(
        at endpoint: Endpoint,
        name: String? = nil,
        credentials: TLSCredentials,
        connections: ConnectionPolicy,
        allowed: AllowedNetworks
    ) {
        self.endpoint = endpoint
        address = SocketAddress(endpoint)
        self.name = name ?? endpoint.address.description
        self.credentials = credentials
        self.connections = connections
        isAllowed = allowed.allows(endpoint.address)
    }

    /// Who has to be there, and speak `protocolName` (RFC 7301).
    func check(speaking protocolName: String) -> PeerCheck {
        PeerCheck(credentials: credentials, name: name, protocolName: protocolName)
    }
}

/// Whom a session has to find at its other end, and what they are to speak.
struct PeerCheck: Equatable {
    let credentials: TLSCredentials
    /// What the certificate has to name: a host or an address.
    let name: String
    /// What is spoken inside (RFC 7301).
    let protocolName: String
}

/// What a session leaves behind for a later one, once it knows its other end. That end is not asked
/// for its certificate again, so a ticket is good for the same check alone.
struct SessionTicket {
    /// The check that the other end has passed.
    let check: PeerCheck
    /// GnuTLS's data of the session.
    let data: [UInt8]
}
