#if QUIC
import DNSWire

/// DNS over HTTPS in HTTP/3 (RFC 9114). Each query is a request on its own stream.
@EventLoopActor
final class HTTP3Streams: QUICApplication {
    let protocolNames = ["h3"]
    let controlStreams = HTTP3Session.controlStreams
    /// H3_NO_ERROR and H3_REQUEST_CANCELLED (RFC 9114 §8.1).
    let (closeCode, cancelCode): (UInt64, UInt64) = (0x100, 0x10c)

    private let service: HTTPService
    private var session: HTTP3Session?
    private var requests = HTTPRequests()
    /// Whether the server accepts no more requests.
    private var isClosing = false

    init(_ service: HTTPService) { self.service = service }

    var takesMore: Bool { !isClosing }
    var isLeaving: Bool { isClosing }
    var queries: [Int64: StreamQuery] { requests.queries }

    func begin(on streams: [Int64]) throws(ConnectionEnd) {
        requests = HTTPRequests()
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
        requests.add(query, on: stream)
    }

    func leave(_ stream: Int64) {
        requests.leave(stream)
        session?.abandon(stream)
    }

    func outgoing() throws(ConnectionEnd) -> StreamBytes? { try session?.outgoing() }

    func take(_ bytes: StreamBytes, _ arrival: Arrival) throws(ConnectionEnd) -> [StreamDemand] {
        guard let session else { return [] }
        try session.take(bytes)
        return session.takeEvents().flatMap { note($0, arrival) }
    }

    func end(_ stream: Int64, code: UInt64?) {
        if code == nil { session?.forget(stream) } else { session?.abandon(stream) }
        let words = code.map { "the server reset the stream (\(Self.name(of: $0)))" }
        requests.breakOff(stream, words ?? "the stream ended without an answer")
    }

    func progress(of query: StreamQuery) -> String? { requests.progress(of: query) }

    private func note(_ event: HTTPEvent, _ arrival: Arrival) -> [StreamDemand] {
        var demands = requests.take(event, arrival)
        if case .excess(let stream, _) = event { demands.append(.abandon(stream)) }
        if case .goAway(let first, _) = event {
            isClosing = true
            for stream in queries.keys where stream >= first {
                requests.end(stream, .unreachable("the server is closing the connection"))
            }
        }
        for case .abandon(let stream) in demands { session?.abandon(stream) }
        return demands
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
