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
