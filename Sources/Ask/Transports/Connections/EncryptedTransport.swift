import CSockets
package import Catalogue
package import DNSWire

/// DNS over TLS (RFC 7858), HTTPS (RFC 8484), QUIC (RFC 9250) or HTTP/3, as the endpoint of the
/// service says: padded (RFC 8467), over connections that are kept, resumed or fresh.
///
/// QUIC connects and shakes hands in one: that time is the handshake's alone. Over HTTP the round
/// trip ends with the segment, or datagram, that carries the last octet of the answer's content.
@EventLoopActor
package final class EncryptedTransport: Transport {
    private let service: EncryptedService
    private let web: HTTPService
    private let obstacle: @Sendable (Endpoint) -> String?
    private var kept: QueryConnection?
    /// Each is used once, as RFC 8446 §C.4 asks.
    var ticket: SessionTicket?
    /// One that has had its query and not yet brought a ticket.
    private var lingering: QueryConnection?

    /// A transport to `service`, over HTTP at `path`; `obstacle` tells why there is no route to it.
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

    /// Whether the next query goes over the connection of an earlier one.
    var isOpen: Bool { kept?.takesMore == true }

    /// The ticket that the next connection goes on with.
    var nextTicket: SessionTicket? { lingering?.ticket ?? ticket }

    package func exchange(_ query: Query, timeout: Duration) async -> Exchange {
        let limit = TimeLimit(timeout)
        guard service.isAllowed else { return Exchange(within: limit, .blocked) }
        let loop = EventLoop.shared
        let token = loop.open(deadline: nil)
        defer { loop.close(token) }
        var connection = connection()
        let asked = StreamQuery(attempt(query.padded, over: connection), within: limit, wait: token)
        connection.submit(asked)
        var wait = ExchangeWait(token)
        while !asked.isDone, await wait.goesOn(connection.budget, within: asked.exchange.limit) {
            if wait.isOver, !asked.isDone { connection.refresh() }
            if asked.isTurnedAway, !wait.isOver {
                connection = self.connection()
                connection.submit(asked)
            }
        }
        if !asked.isDone {
            if wait.isCancelled {
                asked.exchange.result = .cancelled
            } else if connection is TLSConnection, asked.exchange.connection == .reused,
                let reason = obstacle(service.endpoint)
            {
                // A stream that stands takes queries without a network too.
                asked.exchange.result = .noRoute(reason)
            } else if let obstacle = connection.obstacle {
                asked.exchange.result = obstacle
            }
            connection.leave(asked)
        }
        release(connection, answered: asked.isDone)
        return asked.exchange
    }

    /// Why the other end of a connection made for that alone is not trusted; `nil` where it is, or
    /// where that is not known after `timeout`. Nothing is asked.
    package func distrust(timeout: Duration) async -> Distrust? {
        guard service.isAllowed else { return nil }
        let limit = TimeLimit(timeout)
        let loop = EventLoop.shared
        let token = loop.open(deadline: limit.deadline, isPatient: true)
        defer { loop.close(token) }
        let connection = open()
        connection.opener = token
        var wait = ExchangeWait(token)
        while connection.phase == .opening, await wait.goesOn(connection.budget, within: limit) {}
        connection.opener = nil
        connection.close()
        guard case .untrusted(let distrust) = connection.reason else { return nil }
        return distrust
    }

    /// Streams tell queries apart but over TLS; under one ID the same query is always the same
    /// request, which caches on the way can know again (RFC 8484 §4.1, RFC 9250 §4.2.1).
    private func attempt(_ query: Query, over connection: QueryConnection) -> Attempt {
        service.endpoint.transport == .tls
            ? Attempt(query, where: connection.isTaken) : Attempt(query, id: 0)
    }

    /// The one that is kept, or a new one.
    private func connection() -> QueryConnection {
        kept?.refresh()
        if let kept, kept.takesMore { return kept }
        kept?.retire()
        stopLingering()
        let opened = open()
        ticket = nil
        kept = service.connections == .reuse ? opened : nil
        return opened
    }

    private func open() -> QueryConnection {
        switch service.endpoint.transport {
        case .https: TLSConnection(to: service, carrying: HTTP2Framing(web), ticket: ticket)
        #if QUIC
        case .quic: QUICConnection(to: service, carrying: DNSStreams(), ticket: ticket)
        case .h3: QUICConnection(to: service, carrying: HTTP3Streams(web), ticket: ticket)
        #endif
        default: TLSConnection(to: service, carrying: DNSFraming(), ticket: ticket)
        }
    }

    private func stopLingering() {
        ticket = nextTicket
        lingering?.close()
        lingering = nil
    }

    /// A connection without an answer may be dead without a word: the next query has another.
    private func release(_ connection: QueryConnection, answered: Bool) {
        switch service.connections {
        case .fresh: connection.close()
        case .resume:
            stopLingering()
            lingering = connection
            // A ticket may come after the answer; so long the connection stays.
            if connection.ticket != nil || !answered { stopLingering() }
        case .reuse: answered ? connection.closeIfRetired() : connection.retire()
        }
    }
}
