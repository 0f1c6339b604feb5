#if QUIC
public import Catalogue
public import DNSWire

/// DNS over HTTPS (RFC 8484) in HTTP/3, padded (RFC 8467), over connections that are kept, resumed
/// or fresh.
///
/// QUIC connects and shakes hands in one: that time is the handshake's alone. The round trip ends
/// with the datagram that carries the last octet of the answer's content.
@EventLoopActor
public final class HTTP3Transport: Transport {
    let connection: KeptConnection<QUICConnection>
    private let isAllowed: Bool

    /// A transport to `path` at `endpoint`, whose certificate has to be that of `name`, by default
    /// of its address; outside `allowed` every exchange is `blocked`.
    public nonisolated init(
        to endpoint: Endpoint,
        name: String? = nil,
        path: String? = nil,
        method: HTTPMethod = .post,
        credentials: TLSCredentials,
        connections: ConnectionPolicy,
        allowed: AllowedNetworks
    ) {
        let target = TLSConnection.Target(
            address: SocketAddress(endpoint),
            name: name ?? endpoint.address.description,
            credentials: credentials
        )
        let service = HTTPService(endpoint, name: target.name, path: path, method: method)
        connection = KeptConnection(connections) { ticket in
            QUICConnection(to: target, carrying: HTTP3Streams(service), ticket: ticket)
        }
        isAllowed = allowed.allows(endpoint.address)
    }

    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        return await connection.exchange(timeout: timeout) { _ in .overHTTP(query) }
    }
}
#endif
