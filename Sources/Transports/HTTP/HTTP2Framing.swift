/// DNS over HTTPS in HTTP/2 (RFC 9113): each query is a request on a stream of its own, as many at
/// once as the server allows.
@EventLoopActor
final class HTTP2Framing: Framing {
    let protocolName = "h2"
    /// HTTP/1.1 would have one query wait for another (RFC 8484 §5.2).
    let isNameRequired = true

    private let service: HTTPService
    private let session = HTTP2Session()
    private var requests: [Int32: PendingRequest] = [:]
    /// Waiting for the request before them to be sent.
    private var unsent: [StreamQuery] = []
    /// The request that is not sent to its end yet. There is one at a time: Knot Resolver refuses
    /// those whose header comes before the content of another.
    private var sending: Int32?
    /// The server takes no more requests; why, in words.
    private var farewell: String?

    init(_ service: HTTPService) { self.service = service }

    var takesMore: Bool { farewell == nil && session?.takesMore == true }

    var waiting: [StreamQuery] { unsent + requests.values.map(\.query) }

    /// Streams tell queries apart.
    func isTaken(_ id: UInt16) -> Bool { false }

    func add(_ query: StreamQuery) { unsent.append(query) }

    func leave(_ query: StreamQuery) {
        unsent.removeAll { $0 === query }
        guard let stream = requests.first(where: { $0.value.query === query })?.key else { return }
        requests[stream] = nil
        if sending == stream { sending = nil }
        session?.cancel(stream)
    }

    func finish() { session?.finish() }

    func outgoing() throws(ConnectionEnd) -> OutgoingRecord? {
        guard let session else { throw ConnectionEnd(.unreachable("memory is short")) }
        while true {
            submitNext(to: session)
            var record = OutgoingRecord(bytes: session.outgoing())
            for event in session.takeEvents() {
                if case .sent(let stream) = event {
                    if sending == stream { sending = nil }
                    if let query = requests[stream]?.query { record.queries.append(query) }
                } else {
                    note(event, nil)
                }
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
        requests[stream] = PendingRequest(query: query)
        sending = stream
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd) {
        guard let session else { return }
        let isUnderstood = unsafe session.take(bytes)
        for event in session.takeEvents() { note(event, arrival) }
        guard isUnderstood else { throw ConnectionEnd(end) }
    }

    /// The end of the connection.
    private var end: Exchange.Result {
        if let farewell { return .unreachable(farewell) }
        return .malformed("HTTP/2: \(session?.complaint ?? "the connection has ended")")
    }

    func progress(of query: StreamQuery) -> String? {
        requests.values.first { $0.query === query }?.answer.progress
    }

    // MARK: What happens on streams

    private func note(_ event: HTTP2Session.Event, _ arrival: Arrival?) {
        switch event {
        case .sent: break
        case .field(let stream, let field):
            if let arrival { requests[stream]?.answer.take(field, arrival) }
        case .excess(let stream, let words):
            if sending == stream { sending = nil }
            guard let arrival, let request = requests.removeValue(forKey: stream) else { return }
            request.query.end(.malformed(words), arrival)
        case .content(let stream, let octets):
            guard let arrival else { return }
            requests[stream]?.answer.take(octets, arrival)
            guard requests[stream]?.answer.isOversized == true else { return }
            conclude(stream, arrival)
            session?.cancel(stream)
        case .answered(let stream): if let arrival { conclude(stream, arrival) }
        case .reset(let stream, let code):
            stop(stream) { progress in
                let words = "the server reset the stream (\(code))"
                return progress.map { .malformed("\(words) \($0)") } ?? .unreachable(words)
            }
        case .closed(let stream, let code):
            stop(stream) { _ in
                if let farewell { return .unreachable(farewell) }
                return .malformed("HTTP/2: \(session?.complaint ?? code)")
            }
        case .goAway(let code):
            let reason = code == "NO_ERROR" ? "" : " (\(code))"
            farewell = "the server is closing the connection\(reason)"
        }
    }

    private func conclude(_ stream: Int32, _ arrival: Arrival) {
        guard let request = requests.removeValue(forKey: stream) else { return }
        if request.conclude(arrival) { unsent.append(request.query) }
    }

    /// Ends the query on `stream` without an answer, as its progress so far says.
    private func stop(_ stream: Int32, _ result: (String?) -> Exchange.Result) {
        if sending == stream { sending = nil }
        guard let request = requests.removeValue(forKey: stream) else { return }
        request.query.end(result(request.answer.progress))
    }
}
