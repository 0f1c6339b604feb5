import CSockets
import Catalogue
import DNSWire

/// The connections over which one resolver is asked: kept, resumed or fresh.
@EventLoopActor
final class KeptConnection<Connection: QueryConnection> {
    private let service: EncryptedService
    private let open: @EventLoopActor (Connection.Ticket?) -> Connection
    private var kept: Connection?
    /// Each is used once, as RFC 8446 §C.4 asks.
    private var ticket: Connection.Ticket?
    /// One that has had its query and not yet brought a ticket.
    private var lingering: Connection?

    /// Connections to `service` that `opening` opens, with a ticket of an earlier one where there is
    /// one.
    nonisolated init(
        to service: EncryptedService,
        opening: @escaping @EventLoopActor (Connection.Ticket?) -> Connection
    ) {
        self.service = service
        open = opening
    }

    isolated deinit {
        kept?.retire()
        lingering?.close()
    }

    /// Whether the next query goes over the connection of an earlier one.
    var isOpen: Bool { kept?.takesMore == true }

    /// Whether the next connection may go on with an earlier one.
    var hasTicket: Bool { ticket != nil || lingering?.ticket != nil }

    /// Sends the attempt that `attempt` makes for a connection, and waits for what comes of it.
    func exchange(
        timeout: Duration,
        _ attempt: @EventLoopActor (Connection) -> Attempt
    ) async -> Exchange {
        let limit = TimeLimit(timeout)
        guard service.isAllowed else { return Exchange(within: limit, .blocked) }
        let loop = EventLoop.shared
        guard let token = try? loop.open(deadline: limit.deadline, isPatient: true) else {
            return Exchange(within: limit)
        }
        defer { loop.close(token) }
        let connection = connection()
        let asked = StreamQuery(attempt(connection), within: limit, wait: token)
        connection.submit(asked)
        var wait = ExchangeWait(token, within: limit)
        while !asked.isDone, await wait.goesOn(connection.budget) {
            if wait.isOver, !asked.isDone { connection.refresh() }
        }
        if wait.isCancelled, !asked.isDone { asked.exchange.result = .cancelled }
        if !asked.isDone { connection.leave(asked) }
        release(connection, answered: asked.isDone)
        return asked.exchange
    }

    /// The one that is kept, or a new one.
    private func connection() -> Connection {
        kept?.refresh()
        if let kept, kept.takesMore { return kept }
        kept?.retire()
        stopLingering()
        let opened = open(ticket)
        ticket = nil
        kept = service.connections == .reuse ? opened : nil
        return opened
    }

    private func stopLingering() {
        ticket = lingering?.ticket ?? ticket
        lingering?.close()
        lingering = nil
    }

    /// A connection without an answer may be dead without a word: the next query has another.
    private func release(_ connection: Connection, answered: Bool) {
        switch service.connections {
        case .fresh: connection.close()
        case .resume:
            stopLingering()
            lingering = connection
            // A ticket may come after the answer; so long the connection stays.
            if connection.ticket != nil || !answered { stopLingering() }
        case .reuse: if !answered { connection.retire() }
        }
    }
}

/// A connection that carries queries to one resolver, whatever protocols it is made of.
@EventLoopActor
protocol QueryConnection: AnyObject {
    /// The ticket that a later connection can go on with.
    associatedtype Ticket

    var takesMore: Bool { get }
    /// Where the other end has given one.
    var ticket: Ticket? { get }
    /// The limit of reading in one turn, once it stands.
    var budget: ReadBudget? { get }

    /// Takes in what has come: the other end may have closed it while nobody asked.
    func refresh()
    /// Sends `query` now, or once the connection is open.
    func submit(_ query: StreamQuery)
    /// Gives up `query`, whose answer is waited for no longer.
    func leave(_ query: StreamQuery)
    /// Takes no more queries, and closes once those on it have ended.
    func retire()
    /// Ends in good order; whoever still waits is told.
    func close()
}
