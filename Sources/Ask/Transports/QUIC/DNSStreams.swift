#if QUIC
import DNSWire

/// DNS over QUIC (RFC 9250 §4.2). Each query has its own stream. A length precedes the message in both
/// directions.
@EventLoopActor
final class DNSStreams: QUICApplication {
    private struct Asked {
        let query: StreamQuery
        var frames = FrameReader()
    }

    let protocolNames = ["doq"]
    let controlStreams = 0
    let takesMore = true
    /// DOQ_NO_ERROR and DOQ_REQUEST_CANCELLED (RFC 9250 §8.4).
    let (closeCode, cancelCode): (UInt64, UInt64) = (0, 3)

    private var unsent: [StreamBytes] = []
    private var asked: [Int64: Asked] = [:]
    var queries: [Int64: StreamQuery] { asked.mapValues(\.query) }

    func begin(on streams: [Int64]) {
        unsent = []
        asked = [:]
    }

    func add(_ query: StreamQuery, on stream: Int64) {
        let bytes = unsafe query.attempt.withFrame { bytes in unsafe [UInt8](bytes) }
        unsent.append(StreamBytes(stream: stream, bytes: bytes, isEnd: true))
        asked[stream] = Asked(query: query)
    }

    func leave(_ stream: Int64) { asked[stream] = nil }
    func outgoing() -> StreamBytes? { unsent.isEmpty ? nil : unsent.removeFirst() }

    func take(_ data: StreamBytes, _ arrival: Arrival) -> [StreamDemand] {
        let stream = data.stream
        // Streams that the server opens (RFC 9000 §2.1) carry no answers, and have little space.
        let isOverfull = asked[stream] == nil && stream & 3 == 0 && !data.bytes.isEmpty
        unsafe data.bytes.withUnsafeBytes { unsafe asked[stream]?.frames.append($0) }
        do throws(ConnectionEnd) {
            while let message = try asked[stream]?.frames.next() {
                if asked[stream]?.query.take(message, arrival) == true { asked[stream] = nil }
            }
        } catch {
            stop(stream, error.result)
        }
        if let verdict = asked[stream]?.query.exchange.strays.verdict { stop(stream, verdict) }
        if data.isEnd { end(stream, code: nil) }
        return isOverfull ? [.abandon(stream)] : []
    }

    private func stop(_ stream: Int64, _ result: Exchange.Result) {
        asked.removeValue(forKey: stream)?.query.end(result)
    }

    func end(_ stream: Int64, code: UInt64?) {
        guard let ended = asked.removeValue(forKey: stream) else { return }
        let words = code.map { "stream reset (\(Self.name(of: $0)))" } ?? "stream ended"
        ended.query.end(
            ended.frames.isEmpty
                ? .unreachable("\(words) without an answer")
                : .malformed("\(words) \(ended.frames.progress)")
        )
    }

    func progress(of query: StreamQuery) -> String? {
        let frames = asked.values.first { $0.query === query }?.frames
        return frames.flatMap { $0.isEmpty ? nil : $0.progress }
    }

    /// RFC 9250 §8.4.
    private static func name(of code: UInt64) -> String {
        switch code {
        case 0: "DOQ_NO_ERROR"
        case 1: "DOQ_INTERNAL_ERROR"
        case 2: "DOQ_PROTOCOL_ERROR"
        case 3: "DOQ_REQUEST_CANCELLED"
        case 4: "DOQ_EXCESSIVE_LOAD"
        case 5: "DOQ_UNSPECIFIED_ERROR"
        case 0xd098_ea5e: "DOQ_ERROR_RESERVED"
        default: "error \(code)"
        }
    }
}
#endif
