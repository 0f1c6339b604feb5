#if QUIC
/// DNS over HTTPS in HTTP/3 (RFC 9114): each query is a request on a stream of its own.
@EventLoopActor
final class HTTP3Streams: QUICApplication {
    let protocolName = "h3"
    let controlStreams = HTTP3Session.controlStreams
    /// H3_NO_ERROR and H3_REQUEST_CANCELLED (RFC 9114 §8.1).
    let (closeCode, cancelCode): (UInt64, UInt64) = (0x100, 0x10c)

    private let service: HTTPService
    private var session: HTTP3Session?
    private var requests: [Int64: PendingRequest] = [:]
    private var demands: [QUICDemand] = []
    /// The server takes no more requests.
    private var isClosing = false

    init(_ service: HTTPService) { self.service = service }

    var takesMore: Bool { !isClosing }

    var waiting: [Int64: StreamQuery] { requests.mapValues(\.query) }

    func begin(on streams: [Int64]) throws(ConnectionEnd) {
        requests = [:]
        session = HTTP3Session(on: streams)
        guard session != nil else {
            throw ConnectionEnd(
                .unreachable("the server grants no streams for HTTP/3"),
                .application(closeCode)
            )
        }
    }

    func add(_ query: StreamQuery, on stream: Int64) {
        let request = HTTPRequest(query.attempt.message, to: service)
        guard session?.submit(request, on: stream) == true else {
            return query.end(.unreachable("the connection takes no more queries"))
        }
        requests[stream] = PendingRequest(query: query)
    }

    func takeDemands() -> [QUICDemand] {
        defer { demands = [] }
        return demands
    }

    func leave(_ stream: Int64) {
        requests[stream] = nil
        session?.abandon(stream)
    }

    func outgoing() throws(ConnectionEnd) -> StreamOctets? { try session?.outgoing() }

    func take(_ octets: StreamOctets, _ arrival: Arrival) throws(ConnectionEnd) {
        guard let session else { return }
        try session.take(octets)
        for event in session.takeEvents() { note(event, arrival) }
    }

    func end(_ stream: Int64, code: UInt64?) {
        if code == nil { session?.forget(stream) } else { session?.abandon(stream) }
        guard let request = requests.removeValue(forKey: stream) else { return }
        let words = code.map { "the server reset the stream (\(Self.name(of: $0)))" }
        let ending = words ?? "the stream ended without an answer"
        let progress = request.answer.progress
        request.query.end(progress.map { .malformed("\(ending) \($0)") } ?? .unreachable(ending))
    }

    func progress(of stream: Int64) -> String? { requests[stream]?.answer.progress }

    // MARK: What happens on streams

    private func note(_ event: HTTP3Session.Event, _ arrival: Arrival) {
        switch event {
        case .field(let stream, let field): requests[stream]?.answer.take(field, arrival)
        case .excess(let stream, let words):
            requests.removeValue(forKey: stream)?.query.end(.malformed(words), arrival)
            abandon(stream)
        case .content(let stream, let octets):
            requests[stream]?.answer.take(octets, arrival)
            guard requests[stream]?.answer.isOversized == true else { return }
            conclude(stream, arrival)
            abandon(stream)
        case .answered(let stream): conclude(stream, arrival)
        case .goAway(let first):
            isClosing = true
            for (stream, request) in requests where stream >= first {
                requests[stream] = nil
                request.query.end(.unreachable("the server is closing the connection"))
            }
        }
    }

    private func conclude(_ stream: Int64, _ arrival: Arrival) {
        guard let request = requests.removeValue(forKey: stream) else { return }
        if request.conclude(arrival) { demands.append(.again(request.query)) }
    }

    /// Takes no more of what comes on `stream`.
    private func abandon(_ stream: Int64) {
        session?.abandon(stream)
        demands.append(.abandon(stream))
    }

    /// RFC 9114 §8.1.
    private static func name(of code: UInt64) -> String {
        let names = [
            "H3_NO_ERROR", "H3_GENERAL_PROTOCOL_ERROR", "H3_INTERNAL_ERROR",
            "H3_STREAM_CREATION_ERROR", "H3_CLOSED_CRITICAL_STREAM", "H3_FRAME_UNEXPECTED",
            "H3_FRAME_ERROR", "H3_EXCESSIVE_LOAD", "H3_ID_ERROR", "H3_SETTINGS_ERROR",
            "H3_MISSING_SETTINGS", "H3_REQUEST_REJECTED", "H3_REQUEST_CANCELLED",
            "H3_REQUEST_INCOMPLETE", "H3_MESSAGE_ERROR", "H3_CONNECT_ERROR",
            "H3_VERSION_FALLBACK",
        ]
        guard code >= 0x100, code - 0x100 < names.count else { return "error \(code)" }
        return names[Int(code - 0x100)]
    }
}
#endif
