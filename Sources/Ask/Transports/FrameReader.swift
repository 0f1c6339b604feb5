import DNSWire

/// Cuts a TCP stream into messages, each behind its length in two octets (RFC 1035 §4.2.2).
struct FrameReader {
    /// The header of a message (RFC 1035 §4.1.1).
    private static let shortest = 12

    private var octets: [UInt8] = []
    /// Where the message under way begins; all before it was handed out.
    private var start = 0

    var isEmpty: Bool { octets.count == start }

    /// How much of the message under way has come, in words.
    var progress: String {
        guard let length else { return "after 1 of the 2 octets of the length" }
        return "after \(octets.count - start - 2) of \(length) octets"
    }

    private var length: Int? {
        octets.count - start < 2 ? nil : Int(octets[start]) << 8 | Int(octets[start + 1])
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        octets.removeFirst(start)
        start = 0
        unsafe octets.append(contentsOf: bytes)
    }

    /// Takes the next message that is there whole; throws where it is none, so that the stream is of
    /// no use any more.
    mutating func next() throws(ConnectionEnd) -> [UInt8]? {
        guard let length else { return nil }
        guard length >= Self.shortest else {
            start = octets.count
            let reason = "a message of \(length) octets, fewer than its header has"
            throw ConnectionEnd(.malformed(reason))
        }
        let begin = start + 2
        guard octets.count >= begin + length else { return nil }
        start = begin + length
        return Array(octets[begin..<start])
    }
}
