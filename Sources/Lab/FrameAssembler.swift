/// Cuts a TCP stream into messages, each behind two octets of length (RFC 1035 §4.2.2).
struct FrameAssembler {
    private var buffer: [UInt8] = []

    /// Takes what arrived and returns the messages that it completes.
    mutating func append(_ octets: some Sequence<UInt8>) -> [[UInt8]] {
        buffer += octets
        var messages: [[UInt8]] = []
        var start = 0
        while buffer.count - start >= 2 {
            let length = Int(buffer[start]) << 8 | Int(buffer[start + 1])
            guard buffer.count - start - 2 >= length else { break }
            messages.append(Array(buffer[start + 2..<start + 2 + length]))
            start += 2 + length
        }
        buffer.removeFirst(start)
        return messages
    }

    /// The message with its length before it.
    static func frame(_ message: [UInt8]) -> [UInt8] {
        UInt16(truncatingIfNeeded: message.count).networkOctets + message
    }
}
