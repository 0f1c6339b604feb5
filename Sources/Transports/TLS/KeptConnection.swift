import CSockets
import Catalogue
import DNSWire

/// The connections over which one resolver is asked: kept, resumed or fresh.
@EventLoopActor
final class KeptConnection {
    private let target: TLSConnection.Target
    private let policy: ConnectionPolicy
    private let makeFraming: @EventLoopActor () -> any Framing
    private var kept: TLSConnection?
    /// Each is used once, as RFC 8446 §C.4 asks.
    private var ticket: [UInt8]?

    nonisolated init(
        to target: TLSConnection.Target,
        _ policy: ConnectionPolicy,
        carrying framing: @escaping @EventLoopActor () -> any Framing
    ) {
        self.target = target
        self.policy = policy
        makeFraming = framing
    }

    isolated deinit { kept?.retire() }

    /// Sends the attempt that `attempt` makes for a connection, and waits for what comes of it.
    func exchange(
        timeout: Duration,
        _ attempt: @EventLoopActor (TLSConnection) -> Attempt
    ) async -> Exchange {
        let loop = EventLoop.shared
        let deadline = cs_monotonic() + timeout.nanoseconds
        guard let wait = try? loop.open(deadline: deadline) else { return Exchange(.timeout) }
        defer { loop.close(wait) }
        let connection = connection()
        let asked = StreamQuery(attempt(connection), wait: wait)
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
        kept?.refresh()
        if let kept, kept.takesMore { return kept }
        kept?.retire()
        let opened = TLSConnection(to: target, carrying: makeFraming(), ticket: ticket)
        ticket = nil
        kept = policy == .reuse ? opened : nil
        return opened
    }

    /// A connection without an answer may be dead without a word: the next query has another.
    private func release(_ connection: TLSConnection, answered: Bool) {
        switch policy {
        case .fresh: connection.close()
        case .resume:
            ticket = connection.ticket ?? ticket
            connection.close()
        case .reuse: if !answered { connection.retire() }
        }
    }
}
