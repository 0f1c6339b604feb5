package import Catalogue

/// The server of an encrypted transport, the conditions of its authentication, and the policy for
/// connections.
package struct EncryptedService: Sendable {
    let endpoint: Endpoint
    let address: SocketAddress
    /// The name that the certificate must contain.
    let name: String
    let credentials: TLSCredentials
    let connections: ConnectionPolicy
    /// The only version of TLS over TCP; `nil` for TLS 1.3 and 1.2.
    let version: TLSVersion?
    let isAllowed: Bool
    /// The most bytes in a TCP segment; `nil` for the system's choice.
    var mostInSegment: Int?
    /// The longest idle time of a connection over QUIC that the client offers (RFC 9000 §10.1).
    let offeredIdle: Duration
    package static let usualIdle = Duration.seconds(30)

    /// The service at `endpoint`. Its certificate must be for `name`, by default for its address. Outside
    /// `allowed`, every exchange is `blocked`.
    package init(
        at endpoint: Endpoint,
        name: String? = nil,
        credentials: TLSCredentials,
        connections: ConnectionPolicy,
        version: TLSVersion? = nil,
        allowed: AllowedNetworks,
        offeredIdle: Duration = usualIdle
    ) {
        self.endpoint = endpoint
        address = SocketAddress(endpoint)
        self.name = name ?? endpoint.address.description
        self.credentials = credentials
        self.connections = connections
        self.version = version
        self.offeredIdle = offeredIdle
        isAllowed = allowed.allows(endpoint.address)
    }

    /// The check of the server's identity and of its support for one of these protocols (RFC 7301).
    func check(speaking protocolNames: [String]) -> PeerCheck {
        PeerCheck(
            credentials: credentials,
            name: name,
            protocolNames: protocolNames,
            version: version
        )
    }
}

/// The conditions of a session for its peer.
struct PeerCheck: Equatable {
    let credentials: TLSCredentials
    /// The name that the certificate must contain: a host or an address.
    let name: String
    /// The acceptable protocols (RFC 7301), the preferred one first.
    let protocolNames: [String]
    /// The only acceptable version of TLS over TCP; `nil` for TLS 1.3 and 1.2.
    var version: TLSVersion?
}

/// A ticket for resumption of a session with a verified peer. The peer does not present its certificate
/// again, so the ticket is valid for the same check only.
struct SessionTicket {
    /// The check that the peer has passed.
    let check: PeerCheck
    /// GnuTLS's data of the session.
    let data: [UInt8]
    /// The protocol that the peer selected; `nil` if it selected none.
    var protocolName: String?
    /// The size of early data in bytes that the ticket allows (RFC 8446 §4.2.10). Some servers end the
    /// handshake if a client offers early data with a ticket that does not allow it.
    var earlyDataSize: UInt32 = 0
    /// The server's transport parameters for 0-RTT over QUIC (RFC 9000 §7.4.1); empty if it accepts no early
    /// data.
    var grants: [UInt8] = []
    /// The token that proves the client's address over QUIC (RFC 9000 §8.1.3); empty without a token.
    var token: [UInt8] = []
}
