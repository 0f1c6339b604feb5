import DNSWire

/// DNS over HTTPS over TLS: HTTP/2, or HTTP/1.1 where the server has nothing newer, as the handshake
/// finds out (RFC 7301).
@EventLoopActor
final class HTTPFraming: Framing {
    let protocolNames = ["h2", "http/1.1"]

    private let http2: HTTP2Framing
    private let http1: HTTP1Framing
    /// Whether it has come to HTTP/1.1.
    private(set) var isOld = false
    /// Whether octets of HTTP/2 were sent, with the beginning of the handshake.
    private var hasBegun = false

    init(_ service: HTTPService) {
        http2 = HTTP2Framing(service)
        http1 = HTTP1Framing(service)
    }

    func choose(_ name: String?) -> Bool {
        if name == "h2" { return true }
        // Who chooses nothing may not know that there is a choice.
        guard name == nil || name == "http/1.1", !hasBegun else { return false }
        isOld = true
        return true
    }

    /// A query that is written for HTTP/2 is of no use to a server that had none the last time.
    func allowsEarly(after name: String?) -> Bool { name == "h2" }

    var takesMore: Bool { isOld ? http1.takesMore : http2.takesMore }
    var waiting: [StreamQuery] { isOld ? http1.waiting : http2.waiting }

    func isTaken(_ id: UInt16) -> Bool { false }
    func add(_ query: StreamQuery) { isOld ? http1.add(query) : http2.add(query) }
    func leave(_ query: StreamQuery) { isOld ? http1.leave(query) : http2.leave(query) }
    func finish() { if !isOld { http2.finish() } }

    func outgoing() throws(ConnectionEnd) -> OutgoingRecord? {
        if isOld { return try http1.outgoing() }
        hasBegun = true
        return try http2.outgoing()
    }

    func take(_ bytes: UnsafeRawBufferPointer, _ arrival: Arrival) throws(ConnectionEnd) {
        if isOld {
            try unsafe http1.take(bytes, arrival)
        } else {
            try unsafe http2.take(bytes, arrival)
        }
    }

    func takeEnd(_ arrival: Arrival) { if isOld { http1.takeEnd(arrival) } }

    func progress(of query: StreamQuery) -> String? {
        isOld ? http1.progress(of: query) : http2.progress(of: query)
    }
}
