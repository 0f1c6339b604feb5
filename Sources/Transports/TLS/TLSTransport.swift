public import Catalogue
public import DNSWire

/// DNS over TLS (RFC 7858), padded (RFC 8467), over connections that are kept, resumed or fresh.
@EventLoopActor
public final class TLSTransport: Transport {
    private let connection: KeptConnection<TLSConnection>
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
            TLSConnection(to: target, carrying: DNSFraming(), ticket: ticket)
        }
        isAllowed = allowed.allows(endpoint.address)
    }

    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        return await connection.exchange(timeout: timeout) { connection in
            Attempt(query.padded, where: connection.isTaken)
        }
    }
}

extension Query {
    /// Padded as encrypted queries are: to blocks of 128 octets (RFC 8467 §4.1).
    var padded: Query { padded(toMultipleOf: 128) }
}
