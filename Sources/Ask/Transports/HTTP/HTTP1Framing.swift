import DNSWire

/// DNS over HTTPS in HTTP/1.1 (RFC 9112), for servers without a newer version: one query at a time.
///
/// Requests are not pipelined. Their answers would come in the order of the requests, so that a slow answer
/// would delay the others (RFC 8484 §5.2) and increase their times. A query uses a new connection if another
/// query occupies this one. Queries that were added before the connection was established wait for their
/// turn, which counts as lateness.
@EventLoopActor
final class HTTP1Framing: Framing {
    let protocolNames = ["http/1.1"]

    private let service: HTTPService
    private var reader = HTTP1Reader()
    private var requests = HTTPRequests()
    /// The queries that wait for the answer to an earlier query.
    private var unsent: [StreamQuery] = []
    /// The number of the current request, or of the next one.
    private var number: Int64 = 0
    /// The reason, as text, why no more requests can be sent.
    private var farewell: String?

    init(_ service: HTTPService) { self.service = service }

    var takesMore: Bool { farewell == nil && waiting.isEmpty }
    var waiting: [StreamQuery] { unsent + requests.queries.values }

    func add(_ query: StreamQuery) { unsent.append(query) }

    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        guard requests.queries[number] === query else { return }
        requests.leave(number)
        // The abandoned query's answer may still arrive, and would be taken for the next query's.
        farewell = "an earlier query on the connection was given up"
    }

    func outgoing() throws(ConnectionEnd) -> OutgoingRecord? {
        guard requests.queries.isEmpty, !unsent.isEmpty else { return nil }
        if let farewell { throw end(farewell) }
        let query = unsent.removeFirst()
        query.exchange.isOverHTTP1 = true
        number += 1
        requests.add(query, on: number)
        let request = HTTPRequest(query.attempt.message, to: service)
        return OutgoingRecord(bytes: request.bytes, queries: [query])
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd) {
        var rest = unsafe Array(bytes)[...]
        while !rest.isEmpty {
            guard !requests.queries.isEmpty else {
                throw ConnectionEnd(.malformed("HTTP/1.1: data that answer no query"))
            }
            do throws(HTTP1Reader.Fault) {
                let (events, count) = try reader.take(rest)
                rest = rest.dropFirst(count)
                for event in events { note(event, arrival) }
            } catch {
                throw ConnectionEnd(.malformed("HTTP/1.1: \(error.reason)"))
            }
            if let farewell, requests.queries.isEmpty { throw end(farewell) }
        }
    }

    /// Processes the orderly end of the connection, which may complete an answer.
    func takeEnd(_ arrival: Arrival) {
        if let event = reader.takeEnd() { note(event, arrival) }
        if requests.queries.isEmpty { turnAway() }
    }

    private func end(_ farewell: String) -> ConnectionEnd {
        turnAway()
        return ConnectionEnd(.unreachable(farewell))
    }

    /// Returns the unsent query, which goes over another connection.
    private func turnAway() {
        for query in unsent { query.turnAway() }
        unsent = []
    }

    func progress(of query: StreamQuery) -> String? {
        requests.progress(of: query)
            ?? (requests.queries[number] === query && reader.isInside ? "inside its header" : nil)
    }

    private func note(_ event: HTTP1Reader.Event, _ arrival: Arrival) {
        switch event {
        case .field(let field): _ = requests.take(.field(number, field), arrival)
        case .content(let data):
            let demands = requests.take(.content(number, data), arrival)
            if !demands.isEmpty { farewell = "an answer was too long" }
        case .excess(let words):
            _ = requests.take(.excess(number, words), arrival)
            farewell = "an answer had \(words)"
        case .end(let staysOpen):
            _ = requests.take(.answered(number), arrival)
            if !staysOpen { farewell = "the server is closing the connection" }
        }
    }
}

extension HTTPRequest {
    /// The request in HTTP/1.1 syntax (RFC 9112 §3). Names and values contain no line ends.
    fileprivate var bytes: [UInt8] {
        var values: [String: String] = [:]
        for (name, value) in fields where name.hasPrefix(":") { values[name] = value }
        let line = "\(values[":method"] ?? "") \(values[":path"] ?? "") HTTP/1.1\r\n"
        let host = "host: \(values[":authority"] ?? "")\r\n"
        let others = fields.filter { !$0.name.hasPrefix(":") }.map { "\($0.name): \($0.value)\r\n" }
        return Array((line + host + others.joined() + "\r\n").utf8) + content
    }
}
