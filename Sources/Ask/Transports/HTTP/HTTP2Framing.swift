import CSockets
import DNSWire

/// DNS over HTTPS in HTTP/2 (RFC 9113). Each query is a request on its own stream, up to the number that the
/// server allows. If the server supports only HTTP/1.1, the queries use HTTP/1.1.
@EventLoopActor
final class HTTP2Framing: Framing {
    let protocolNames = ["h2", "http/1.1"]

    private let service: HTTPService
    private let session = HTTP2Session()
    private var requests = HTTPRequests()
    /// The queries that wait until the request before them is sent.
    private var unsent: [StreamQuery] = []
    /// The request that is being sent. There is one at a time: Knot Resolver rejects requests whose header
    /// arrives before the content of another.
    private var sending: Int64?
    /// The reason, as text, why the server accepts no more requests.
    private var farewell: String?
    /// Whether bytes were sent as early data of the handshake.
    private var hasBegun = false

    init(_ service: HTTPService) { self.service = service }

    func choose(_ name: String?) -> (any Framing)? {
        if name == "h2" { return self }
        // A server that selects no protocol may not support the selection.
        guard name == nil || name == "http/1.1", !hasBegun else { return nil }
        return HTTP1Framing(service)
    }

    /// Early data in HTTP/2 is useless for a server that did not support HTTP/2 in the earlier session.
    func allowsEarly(after name: String?) -> Bool { name == "h2" }

    var takesMore: Bool { farewell == nil && session?.takesMore == true }
    var isLeaving: Bool { farewell != nil }
    var waiting: [StreamQuery] { unsent + requests.queries.values }

    func add(_ query: StreamQuery) { unsent.append(query) }

    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        guard let stream = requests.queries.first(where: { $0.value === query })?.key else {
            return
        }
        requests.leave(stream)
        if sending == stream { sending = nil }
        session?.cancel(stream)
    }

    func finish() { session?.finish() }

    func outgoing() throws(ConnectionEnd) -> OutgoingRecord? {
        hasBegun = true
        guard let session else { throw ConnectionEnd(.unreachable("memory is short")) }
        while true {
            submitNext(to: session)
            var record = OutgoingRecord(bytes: session.outgoing())
            for event in session.takeEvents() {
                if case .sent(let stream) = event, let query = requests.queries[stream] {
                    record.queries.append(query)
                }
                note(event, Arrival(stamp: nil, clocks: cs_read_clocks()))
            }
            guard record.bytes.isEmpty else { return record }
            guard session.isOpen else { throw ConnectionEnd(end) }
            guard sending == nil, !unsent.isEmpty else { return nil }
        }
    }

    private func submitNext(to session: HTTP2Session) {
        guard sending == nil, !unsent.isEmpty else { return }
        let query = unsent.removeFirst()
        let request = HTTPRequest(query.attempt.message, to: service)
        guard let stream = session.submit(request) else {
            return query.end(.unreachable(farewell ?? "the connection takes no more queries"))
        }
        requests.add(query, on: stream)
        sending = stream
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd) {
        guard let session else { return }
        let isUnderstood = unsafe session.take(bytes)
        for event in session.takeEvents() { note(event, arrival) }
        guard isUnderstood else { throw ConnectionEnd(end) }
    }

    private var end: Exchange.Result {
        if let farewell { return .unreachable(farewell) }
        return .malformed("HTTP/2: \(session?.complaint ?? "the connection has ended")")
    }

    func progress(of query: StreamQuery) -> String? { requests.progress(of: query) }

    // MARK: Stream events

    private func note(_ event: HTTPEvent, _ arrival: Arrival) {
        switch event {
        case .sent(let stream), .excess(let stream, _), .reset(let stream, _),
            .closed(let stream, _):
            if sending == stream { sending = nil }
        default: break
        }
        for demand in requests.take(event, arrival) {
            switch demand {
            case .again(let query): unsent.append(query)
            case .abandon(let stream): session?.cancel(stream)
            }
        }
        switch event {
        case .reset(let stream, let code):
            requests.breakOff(stream, "the server reset the stream (\(code))")
        case .closed(let stream, let code):
            let words = "HTTP/2: \(session?.complaint ?? code)"
            requests.end(stream, farewell.map { .unreachable($0) } ?? .malformed(words))
        case .goAway(_, let code):
            let reason = code == "NO_ERROR" ? "" : " (\(code))"
            farewell = "the server is closing the connection\(reason)"
        default: break
        }
    }
}
