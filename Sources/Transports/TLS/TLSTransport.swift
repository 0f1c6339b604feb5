import CSockets
public import Catalogue
public import DNSWire

/// DNS over TLS (RFC 7858), padded (RFC 8467), over connections that are kept, resumed or fresh.
@EventLoopActor
public final class TLSTransport: Transport {
    private let target: TLSConnection.Target
    private let connections: ConnectionPolicy
    private let isAllowed: Bool
    private var kept: TLSConnection?
    /// Each is used once, as RFC 8446 §C.4 asks.
    private var ticket: [UInt8]?

    /// The block that queries are padded to, in octets (RFC 8467 §4.1).
    private static let block = 128

    /// A transport to `endpoint`, whose certificate has to be that of `name`, by default of its
    /// address; outside `allowed` every exchange is `blocked`.
    public nonisolated init(
        to endpoint: Endpoint,
        name: String? = nil,
        credentials: TLSCredentials,
        connections: ConnectionPolicy,
        allowed: AllowedNetworks
    ) {
        target = TLSConnection.Target(
            address: SocketAddress(endpoint),
            name: name ?? endpoint.address.description,
            credentials: credentials
        )
        self.connections = connections
        isAllowed = allowed.allows(endpoint.address)
    }

    isolated deinit { kept?.retire() }

    public func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        guard isAllowed else { return Exchange(.blocked) }
        let loop = EventLoop.shared
        let deadline = cs_monotonic() + timeout.nanoseconds
        guard let wait = try? loop.open(deadline: deadline) else { return Exchange(.timeout) }
        defer { loop.close(wait) }
        let connection = connection()
        let attempt = Attempt(query.padded(toMultipleOf: Self.block), where: connection.isTaken)
        let asked = StreamQuery(attempt, wait: wait)
        connection.submit(asked)
        wait: while !asked.isDone {
            switch await loop.next(wait) {
            case .ready: continue
            case .deadline: break wait
            case .cancelled:
                asked.exchange.result = .cancelled
                break wait
            }
        }
        if !asked.isDone { connection.leave(asked) }
        release(connection, answered: asked.isDone)
        return asked.exchange
    }

    /// The one that is kept, or a new one.
    private func connection() -> TLSConnection {
        if let kept, kept.takesMore { return kept }
        kept?.retire()
        let opened = TLSConnection(to: target, ticket: ticket)
        ticket = nil
        kept = connections == .reuse ? opened : nil
        return opened
    }

    /// A connection without an answer may be dead without a word: the next query has another.
    private func release(_ connection: TLSConnection, answered: Bool) {
        switch connections {
        case .fresh: connection.close()
        case .resume:
            ticket = connection.ticket ?? ticket
            connection.close()
        case .reuse: if !answered { connection.retire() }
        }
    }
}
