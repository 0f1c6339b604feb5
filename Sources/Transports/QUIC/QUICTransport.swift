#if QUIC
public import Catalogue
public import DNSWire

/// DNS over QUIC (RFC 9250), padded (RFC 8467), over connections that are kept, resumed or fresh.
///
/// QUIC connects and shakes hands in one: that time is the handshake's alone.
@EventLoopActor
public final class QUICTransport: Transport {
    let connection: KeptConnection<QUICConnection>
    private let isAllowed: Bool

    /// A transport to `endpoint`, whose certificate has to be that of `name`, by default of its
    /// address; outside `allowed` every exchange is `blocked`.
    public nonisolated init(
        to endpoint: Endpoint,
        name: String? = nil,
        credentials: TLSCredentials,
        connections: ConnectionPolicy,
        allowed: AllowedNetworks
    ) {
        let target = TLSConnection.Target(
            address: SocketAddress(endpoint),
            name: name ?? endpoint.address.description,
            credentials: credentials
        )
        connection = KeptConnection(connections) { ticket in
            QUICConnection(to: target, carrying: DNSStreams(), ticket: ticket)
        }
        isAllowed = allowed.allows(endpoint.address)
    }

    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        return await connection.exchange(timeout: timeout) { _ in
            // RFC 9250 §4.2.1: the stream tells queries apart.
            Attempt(query.padded, id: 0)
        }
    }
}
#endif
