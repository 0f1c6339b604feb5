import CSockets
package import Catalogue
package import DNSWire

/// DNS over TLS (RFC 7858), HTTPS (RFC 8484), QUIC (RFC 9250) or HTTP/3, according to the service's
/// endpoint. Queries are padded (RFC 8467). Connections are kept, resumed or new.
///
/// QUIC connects and makes the handshake in one step, whose time counts as the handshake only. Over HTTP the
/// round trip ends with the segment or datagram that carries the last byte of the answer's content.
@EventLoopActor
package final class EncryptedTransport: Transport {
    private let service: EncryptedService
    private let web: HTTPService
    private let obstacle: @Sendable (Endpoint) -> String?
    private var kept: QueryConnection?
    /// The ticket for the next connection. Each ticket is used once, as RFC 8446 §C.4 requires.
    var ticket: SessionTicket?
    /// A connection that has completed its query and has not yet received a ticket.
    private var lingering: QueryConnection?

    /// A transport to `service`, over HTTP at `path`. `obstacle` returns the reason why there is no route.
    package nonisolated init(
        to service: EncryptedService,
        path: String? = nil,
        method: HTTPMethod = .post,
        obstacle: @escaping @Sendable (Endpoint) -> String? = SourceAddress.obstacle(toward:)
    ) {
        self.service = service
        self.obstacle = obstacle
        web = HTTPService(service, path: path, method: method)
    }

    isolated deinit {
        kept?.retire()
        lingering?.close()
    }

    /// Whether the next query uses the connection of an earlier query.
    var isOpen: Bool { kept?.takesMore == true }

    /// The ticket that the next connection uses to resume a session.
    var nextTicket: SessionTicket? { lingering?.ticket ?? ticket }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        let limit = TimeLimit(timeout)
        guard service.isAllowed else { return Exchange(within: limit, .blocked) }
        var asked = ConnectionExchange(
            query.padded,
            over: service.endpoint.transport,
            within: limit,
            on: connection
        )
        let exchange = await asked.finish { obstacle(service.endpoint) }
        release(asked.connection, answered: asked.query.isDone)
        return exchange
    }

    var endpoint: Endpoint { service.endpoint }
    var isAllowed: Bool { service.isAllowed }

    /// The reason why the server is not trusted, from a connection made only for this check. `nil` if the
    /// server is trusted, or if the result is unknown after `timeout`. Sends no query.
    package func distrust(timeout: Duration) async -> Distrust? {
        guard service.isAllowed else { return nil }
        let connection = open(to: service, ticket)
        _ = await isAnswered(connection, within: TimeLimit(timeout))
        guard case .untrusted(let distrust) = connection.reason else { return nil }
        return distrust
    }

    /// Whether a new connection with segments of at most `size` bytes completes its handshake. A server that
    /// ends the handshake for another reason has received it, too.
    func opens(withSegments size: Int, within timeout: Duration) async -> Bool {
        guard service.isAllowed else { return false }
        var service = service
        service.mostInSegment = size
        return await isAnswered(open(to: service, nil), within: TimeLimit(timeout))
    }

    /// Whether `connection` opens or ends within `limit`. Closes it.
    private func isAnswered(
        _ connection: QueryConnection,
        within limit: TimeLimit
    ) async -> Bool {
        let loop = EventLoop.shared
        let token = loop.open(deadline: limit.deadline, isPatient: true)
        defer { loop.close(token) }
        connection.opener = token
        var wait = ExchangeWait(token)
        while connection.phase == .opening, await wait.goesOn(connection.budget, within: limit) {}
        connection.opener = nil
        defer { connection.close() }
        return connection.phase != .opening
    }

    /// The kept connection, or a new one.
    private func connection() -> QueryConnection {
        kept?.refresh()
        if let kept, kept.takesMore { return kept }
        kept?.retire()
        stopLingering()
        let opened = open(to: service, ticket)
        ticket = nil
        kept = service.connections == .reuse ? opened : nil
        return opened
    }

    private func open(
        to service: EncryptedService,
        _ ticket: SessionTicket?
    ) -> QueryConnection {
        switch service.endpoint.transport {
        case .https: TLSConnection(to: service, carrying: HTTP2Framing(web), ticket: ticket)
        #if QUIC
        case .quic: QUICConnection(to: service, carrying: DNSStreams(), ticket: ticket)
        case .h3: QUICConnection(to: service, carrying: HTTP3Streams(web), ticket: ticket)
        #endif
        default: TLSConnection(to: service, carrying: DNSFraming(), ticket: ticket)
        }
    }

    /// A new connection that is held open. With the ticket of `earlier`, it resumes that session. `nil`
    /// outside the allowed networks.
    package func hold(resuming earlier: HeldConnection? = nil) -> HeldConnection? {
        guard service.isAllowed else { return nil }
        return HeldConnection(
            open(to: service, earlier?.ticket),
            over: service.endpoint.transport
        )
    }

    private func stopLingering() {
        ticket = nextTicket
        lingering?.close()
        lingering = nil
    }

    /// A connection without an answer may have failed silently, so the next query uses a new one.
    private func release(_ connection: QueryConnection, answered: Bool) {
        switch service.connections {
        case .fresh: connection.close()
        case .resume:
            stopLingering()
            lingering = connection
            // A ticket may arrive after the answer. The connection stays open until then.
            if connection.ticket != nil || !answered { stopLingering() }
        case .reuse: answered ? connection.closeIfRetired() : connection.retire()
        }
    }
}
