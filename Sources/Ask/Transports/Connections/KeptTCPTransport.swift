package import Catalogue
package import DNSWire

/// DNS over TCP on a connection that is kept for many queries (RFC 7766 §6.2.1).
@EventLoopActor
package final class KeptTCPTransport: Transport {
    private let endpoint: Endpoint
    private let address: SocketAddress
    private let isAllowed: Bool
    private var kept: TCPConnection?

    /// A transport to `endpoint`. Outside `allowed`, every exchange is `blocked`.
    package nonisolated init(to endpoint: Endpoint, allowed: AllowedNetworks) {
        self.endpoint = endpoint
        address = SocketAddress(endpoint)
        isAllowed = allowed.allows(endpoint.address)
    }

    isolated deinit { kept?.retire() }

    /// Whether the next query uses the connection of an earlier query.
    var isOpen: Bool {
        kept?.refresh()
        return kept?.takesMore == true
    }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        let limit = TimeLimit(timeout)
        guard isAllowed else { return Exchange(within: limit, .blocked) }
        var asked = ConnectionExchange(query, over: .tcp, within: limit, on: connection)
        let exchange = await asked.finish { SourceAddress.obstacle(toward: endpoint) }
        // A connection without an answer may have failed silently, so the next query uses a new one.
        if !asked.query.isDone { asked.connection.retire() }
        return exchange
    }

    /// The kept connection, or a new one.
    private func connection() -> QueryConnection {
        if isOpen, let kept { return kept }
        kept?.retire()
        let opened = TCPConnection(to: address)
        kept = opened
        return opened
    }
}
