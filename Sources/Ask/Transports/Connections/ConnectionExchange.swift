import Catalogue
import DNSWire

/// A query over a connection that may carry other queries, and the connection that carried it last.
@EventLoopActor
struct ConnectionExchange {
    let asked: StreamQuery
    let connection: QueryConnection

    /// Sends `query` on the connection that `open` returns, and waits for its outcome. If the connection
    /// closes before the query was sent, `open` must return another one. `obstacle` returns the reason why
    /// there is no route.
    init(
        _ query: Query,
        over transport: TransportKind,
        within limit: TimeLimit,
        obstacle: () -> String?,
        on open: () -> QueryConnection
    ) async {
        let loop = EventLoop.shared
        let token = loop.open(deadline: nil)
        defer { loop.close(token) }
        var connection = open()
        let asked = StreamQuery(
            Attempt(query, over: connection, transport),
            within: limit,
            wait: token
        )
        connection.submit(asked)
        var wait = ExchangeWait(token)
        while !asked.isDone, await wait.goesOn(connection.budget, within: asked.exchange.limit) {
            if wait.isOver, !asked.isDone { connection.refresh() }
            if asked.isTurnedAway, !wait.isOver {
                connection = open()
                connection.submit(asked)
            }
        }
        if !asked.isDone {
            // An established stream accepts queries without a network, too.
            let isKept = connection is StreamConnection && asked.exchange.connection == .reused
            connection.abandon(
                asked,
                isCancelled: wait.isCancelled,
                obstacle: isKept ? obstacle().map { .noRoute($0) } : nil
            )
        }
        (self.asked, self.connection) = (asked, connection)
    }
}
