#if (DEBUG || TESTABLE) && QUIC
import FuzzJudge

@testable import Transports

/// Pieces of a server's streams in HTTP/3 (RFC 9114). Before each piece, one byte selects the
/// stream and its end, and one byte is the length.
enum HTTP3Target {
    /// The request's stream, the server's control stream, the two QPACK streams, and a stream of an
    /// unknown kind.
    private static let streams: [Int64] = [0, 3, 7, 11, 15]

    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        let streams = HTTP3Streams(WebService.service)
        let conversation = WebService.conversation()
        var request: [UInt8] = []
        var hasEnded = false
        do {
            try streams.begin(on: [2, 6, 10])
            streams.add(conversation.query, on: 0)
            while try streams.outgoing() != nil {}
            var rest = input[...]
            while let choice = rest.popFirst(), let count = rest.popFirst() {
                let octets = StreamBytes(
                    stream: Self.streams[Int(choice & 0x7f) % Self.streams.count],
                    bytes: Array(rest.prefix(Int(count))),
                    isEnd: choice & 0x80 != 0
                )
                rest = rest.dropFirst(Int(count))
                if octets.stream == 0, !hasEnded { request += octets.bytes }
                _ = try streams.take(octets, conversation.arrival)
                if octets.isEnd, octets.stream == 0 {
                    hasEnded = true
                    streams.end(0, code: nil)
                }
                while try streams.outgoing() != nil {}
            }
        } catch {}
        conversation.conclude([content(of: request)])
    }

    /// Returns the content of the DATA frames of a request's stream (§7.2.1).
    private static func content(of octets: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var rest = octets[...]
        while let kind = rest.takeVariable(), let size = rest.takeVariable() {
            let part = rest.prefix(size)
            if kind == 0 { content += part }
            rest = rest.dropFirst(size)
        }
        return content
    }
}

extension ArraySlice<UInt8> {
    /// Removes a number of one, two, four or eight bytes from the beginning and returns it (RFC
    /// 9000 §16).
    mutating func takeVariable() -> Int? {
        guard let first, count >= 1 << (first >> 6) else { return nil }
        let size = 1 << (first >> 6)
        defer { removeFirst(size) }
        return prefix(size).dropFirst().reduce(Int(first & 0x3f)) { $0 << 8 | Int($1) }
    }
}
#endif
