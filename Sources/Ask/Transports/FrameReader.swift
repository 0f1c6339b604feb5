import DNSWire

/// Splits a TCP stream into messages. A length of two bytes precedes each message (RFC 1035 §4.2.2).
struct FrameReader {
    /// The length of a message's header in bytes (RFC 1035 §4.1.1).
    private static let shortest = 12

    private var data: [UInt8] = []
    /// The start of the incomplete message. All bytes before it were returned.
    private var start = 0

    var isEmpty: Bool { data.count == start }

    /// A text that states how much of the incomplete message has arrived.
    var progress: String {
        guard let length else { return "after 1 of the 2 bytes of the length" }
        return "after \(data.count - start - 2) of \(length) bytes"
    }

    private var length: Int? {
        data.count - start < 2 ? nil : Int(data[start]) << 8 | Int(data[start + 1])
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        data.removeFirst(start)
        start = 0
        unsafe data.append(contentsOf: bytes)
    }

    /// Returns the next complete message, or `nil`. Throws if the data is not a message; the stream is then
    /// unusable.
    mutating func next() throws(ConnectionEnd) -> [UInt8]? {
        guard let length else { return nil }
        guard length >= Self.shortest else {
            start = data.count
            let reason = "a message of \(length) bytes, fewer than its header has"
            throw ConnectionEnd(.malformed(reason))
        }
        let begin = start + 2
        guard data.count >= begin + length else { return nil }
        start = begin + length
        return Array(data[begin..<start])
    }
}
