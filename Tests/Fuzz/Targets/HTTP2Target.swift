#if DEBUG || TESTABLE
import FuzzJudge

@testable import Transports

/// The bytes that a server sends over HTTP/2: frames, fields, windows, and the content of an answer
/// (RFC 9113). The first byte selects the size of the pieces in which they arrive.
enum HTTP2Target {
    @EventLoopActor
    static func take(_ input: [UInt8]) async {
        WebService.take(input, by: HTTP2Framing(WebService.service)) { [content(of: $0)] }
    }

    /// Returns the content of the DATA frames of the request's stream (§6.1), up to the stream's
    /// end.
    private static func content(of octets: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var place = 0
        while place + 9 <= octets.count {
            let size = Int(octets[place]) << 16 | Int(octets.number(at: place + 1))
            let (kind, flags) = (octets[place + 3], octets[place + 4])
            let stream =
                Int(octets.number(at: place + 5) & 0x7fff) << 16
                | Int(octets.number(at: place + 7))
            let start = place + 9
            place = start + size
            // A HEADERS frame can also end the stream.
            guard place <= octets.count, kind < 2, stream == 1 else { continue }
            defer { if flags & 0x1 != 0 { place = octets.count } }
            guard kind == 0 else { continue }
            let isPadded = flags & 0x8 != 0 && size > 0
            let padding = isPadded ? Int(octets[start]) : 0
            let first = isPadded ? start + 1 : start
            if first + padding <= place { content += octets[first..<place - padding] }
        }
        return content
    }
}
#endif
