import Catalogue
import DNSWire

/// A query over a connection that may carry other queries, and the connection that carried it last.
@EventLoopActor
struct ConnectionExchange {
    let query: StreamQuery
    private(set) var connection: QueryConnection
    private let open: () -> QueryConnection

    /// Sends `query` on the connection that `open` returns. If the connection closes before the query was
    /// sent, `open` is called again. An ended connection then ends the query.
    init(
        _ query: Query,
        over transport: TransportKind,
        within limit: TimeLimit,
        on open: @escaping () -> QueryConnection
    ) {
        self.open = open
        connection = open()
        self.query = StreamQuery(
            Attempt(query, over: connection, transport),
            within: limit,
            wait: EventLoop.shared.open(deadline: nil)
        )
        connection.submit(self.query)
    }

    /// Waits for the outcome of the query. `obstacle` returns the reason why there is no route.
    mutating func finish(obstacle: () -> String? = { nil }) async -> Exchange {
        defer { EventLoop.shared.close(query.wait) }
        var wait = ExchangeWait(query.wait)
        while !query.isDone, await wait.goesOn(connection.budget, within: query.exchange.limit) {
            if wait.isOver, !query.isDone { connection.refresh() }
            if query.isTurnedAway, !wait.isOver {
                connection = open()
                connection.submit(query)
            }
        }
        guard !query.isDone else { return query.exchange }
        // An established stream accepts queries without a network, too.
        let isKept = connection is StreamConnection && query.exchange.connection == .reused
        connection.abandon(
            query,
            isCancelled: wait.isCancelled,
            obstacle: isKept ? obstacle().map { .noRoute($0) } : nil
        )
        return query.exchange
    }
}
