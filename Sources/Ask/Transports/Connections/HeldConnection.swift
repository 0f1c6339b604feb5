import CSockets
package import Catalogue
package import DNSWire

/// One connection to a resolver that is held open, to observe how long the server keeps it. No other
/// connection replaces it.
@EventLoopActor
package final class HeldConnection {
    private let connection: QueryConnection
    private let transport: TransportKind
    /// The time of the last answer, in nanoseconds of CLOCK_MONOTONIC.
    private var answered = cs_monotonic()

    /// The outcome of watching a connection on which nothing is sent.
    package enum Watch: Hashable, Sendable {
        /// The server ended the connection this long after the last answer. Without a signal, the client
        /// ended it because of an error.
        case ended(ClosingSignal?, after: Duration)
        /// The server sent no signal in the whole time.
        case open
        /// The watch was cancelled this long after the last answer.
        case cancelled(after: Duration)
    }

    init(_ connection: QueryConnection, over transport: TransportKind) {
        (self.connection, self.transport) = (connection, transport)
    }

    /// A new TCP connection to `endpoint`; `nil` outside `allowed`.
    package convenience init?(tcp endpoint: Endpoint, allowed: AllowedNetworks) {
        guard allowed.allows(endpoint.address) else { return nil }
        self.init(TCPConnection(to: SocketAddress(endpoint)), over: .tcp)
    }

    isolated deinit { connection.close() }

    /// The ticket for another connection that resumes the session.
    var ticket: SessionTicket? { connection.ticket }
    package var hasTicket: Bool { ticket != nil }

    /// The idle timeout that the server states in the handshake (QUIC only).
    package var statedIdle: Duration? { connection.statedIdle }

    /// Sends `query` on the connection. Fails if the connection has ended, because no other replaces it.
    package func ask(_ query: Query, timeout: Duration) async -> Exchange {
        await answer(to: submit(query, timeout))
    }

    /// Sends `first` and then `second` at one moment, on the connection. `isOvertaken` tells whether the
    /// second answer was read before the first.
    package func ask(
        _ first: Query,
        then second: Query,
        timeout: Duration
    ) async -> (first: Exchange, second: Exchange, isOvertaken: Bool) {
        let asked = (submit(first, timeout), submit(second, timeout))
        let early = await answer(to: asked.0)
        let late = await answer(to: asked.1)
        let ends = (asked.0.query.endOrder ?? .max, asked.1.query.endOrder ?? .max)
        return (early, late, ends.1 < ends.0)
    }

    private func submit(_ query: Query, _ timeout: Duration) -> ConnectionExchange {
        connection.refresh()
        return ConnectionExchange(
            transport.isEncrypted ? query.padded : query,
            over: transport,
            within: TimeLimit(timeout),
            on: { [connection] in connection }
        )
    }

    private func answer(to asked: ConnectionExchange) async -> Exchange {
        var asked = asked
        let exchange = await asked.finish()
        if exchange.result.response != nil { answered = cs_monotonic() }
        return exchange
    }

    /// The time since the last answer.
    package var idle: Duration { .nanoseconds(cs_monotonic() - answered) }

    /// The signal of the server that it ends the connection.
    package var signal: ClosingSignal? { connection.closing?.signal }

    /// Sends nothing, and waits for the server's end of the connection, until `gap` after the last answer.
    package func watch(for gap: Duration) async -> Watch {
        let loop = EventLoop.shared
        let token = loop.open(deadline: answered + gap.nanoseconds)
        connection.watcher = token
        defer {
            connection.watcher = nil
            loop.close(token)
        }
        while connection.closing == nil, connection.phase != .ended {
            switch await loop.next(token) {
            case .ready: continue
            case .deadline: return .open
            case .cancelled: return .cancelled(after: idle)
            }
        }
        let end = connection.closing?.at ?? cs_monotonic()
        return .ended(connection.closing?.signal, after: .nanoseconds(max(0, end - answered)))
    }

    /// Waits until the server has sent a ticket, for at most `limit`.
    package func awaitTicket(within limit: Duration) async {
        let clock = EventLoopClock()
        let end = clock.now.advanced(by: limit)
        while !hasTicket, connection.phase != .ended, clock.now < end {
            let next = min(end, clock.now.advanced(by: .milliseconds(10)))
            do { try await clock.sleep(until: next, tolerance: nil) } catch { return }
        }
    }

    package func close() { connection.close() }
}
