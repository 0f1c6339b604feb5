/// A query that was sent as an HTTP request, and what has come of its answer.
@EventLoopActor
struct PendingRequest {
    let query: StreamQuery
    var answer = HTTPAnswer()

    /// Ends the query with the whole answer, whose last octet came at `arrival`; `true` where the
    /// query is to be sent again instead (RFC 8470 §5.2).
    func conclude(_ arrival: Arrival) -> Bool {
        guard !answer.isTooEarly || query.exchange.connection != .early else {
            query.repeatAfterHandshake()
            return true
        }
        query.end(answer.result(for: query.attempt), answer.arrival ?? arrival)
        return false
    }
}
