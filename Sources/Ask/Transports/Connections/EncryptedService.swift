package import Catalogue

/// A service that an encrypted transport asks, the proof of who it is, and the connections to it.
package struct EncryptedService: Sendable {
    let endpoint: Endpoint
    let address: SocketAddress
    /// The name that the certificate has to have.
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

    /// The check that the right one is there, and speaks one of these protocols (RFC 7301).
    func check(speaking protocolNames: [String]) -> PeerCheck {
        PeerCheck(credentials: credentials, name: name, protocolNames: protocolNames)
    }
}

/// The demands of a session on its other end.
struct PeerCheck: Equatable {
    let credentials: TLSCredentials
    /// The name that the certificate has to have: a host or an address.
    let name: String
    /// The protocols that may be inside (RFC 7301), the best first.
    let protocolNames: [String]
}

/// A session's ticket for a later one, once it knows its other end. That end is not asked
/// for its certificate again, so a ticket is good for the same check alone.
struct SessionTicket {
    /// The check that the other end has passed.
    let check: PeerCheck
    /// GnuTLS's data of the session.
    let data: [UInt8]
    /// The protocol that the other end chose; `nil` where it chose none.
    var protocolName: String?
    /// Over QUIC the server's grants before the handshake is complete (RFC 9000 §7.4.1); empty where
    /// it takes nothing then.
    var grants: [UInt8] = []
    /// Over QUIC the proof that packets to this address arrive (RFC 9000 §8.1.3), or nothing.
    var token: [UInt8] = []
}
