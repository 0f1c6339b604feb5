import DNSWire

/// The queries sent as HTTP requests on one connection, by stream, and the received parts of their answers.
@EventLoopActor
struct HTTPRequests {
    private struct Pending {
        let query: StreamQuery
        var answer = HTTPAnswer()
    }

    private var pending: [Int64: Pending] = [:]

    var queries: [Int64: StreamQuery] { pending.mapValues(\.query) }

    func progress(of query: StreamQuery) -> String? {
        pending.values.first { $0.query === query }?.answer.progress
    }

    mutating func add(_ query: StreamQuery, on stream: Int64) {
        pending[stream] = Pending(query: query)
    }

    /// Abandons the query on `stream`.
    mutating func leave(_ stream: Int64) { pending[stream] = nil }

    mutating func end(_ stream: Int64, _ result: Exchange.Result) {
        pending.removeValue(forKey: stream)?.query.end(result)
    }

    /// Ends the query on `stream`, whose answer stopped for the reason in `words`.
    mutating func breakOff(_ stream: Int64, _ words: String) {
        let progress = pending[stream]?.answer.progress
        end(stream, progress.map { .malformed("\(words) \($0)") } ?? .unreachable(words))
    }

    /// Processes an event of an answer at `arrival`. Returns the event's demand.
    mutating func take(_ event: HTTPEvent, _ arrival: Arrival) -> [StreamDemand] {
        switch event {
        case .field(let stream, let field): pending[stream]?.answer.take(field, arrival)
        case .excess(let stream, let words):
            pending.removeValue(forKey: stream)?.query.end(.malformed(words), arrival)
        case .content(let stream, let bytes):
            pending[stream]?.answer.take(bytes, arrival)
            guard pending[stream]?.answer.isOversized == true else { break }
            return conclude(stream, arrival) + [.abandon(stream)]
        case .answered(let stream): return conclude(stream, arrival)
        case .sent, .reset, .closed, .goAway: break
        }
        return []
    }

    /// Ends the query on `stream` with the complete answer, unless the query must be sent again (RFC 8470
    /// §5.2).
    private mutating func conclude(_ stream: Int64, _ arrival: Arrival) -> [StreamDemand] {
        guard let ended = pending.removeValue(forKey: stream) else { return [] }
        let (query, answer) = (ended.query, ended.answer)
        guard !answer.isTooEarly || query.exchange.connection != .early else {
            query.repeatAfterHandshake()
            return [.again(query)]
        }
        let end = answer.arrival ?? arrival
        if answer.isMessage { query.exchange.keep(answer.content.span, end) }
        let result = answer.result(for: query.attempt)
        let cause = result.response == nil ? answer.cause(for: query.attempt) : nil
        query.end(result, end, because: cause)
        return []
    }
}
