/// Cuts a TCP stream into messages, each behind its length in two octets (RFC 1035 §4.2.2).
struct FrameReader {
    private var pending: [UInt8] = []

    /// Nothing of a message has come yet.
    var isEmpty: Bool { pending.isEmpty }

    /// How much of the message under way has come, in words.
    var progress: String {
        guard let length else { return "after 1 of the 2 octets of the length" }
        return "after \(pending.count - 2) of \(length) octets"
    }

    private var length: Int? {
        pending.count < 2 ? nil : Int(pending[0]) << 8 | Int(pending[1])
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe pending.append(contentsOf: bytes)
    }

    /// Takes the next message that is there whole.
    mutating func next() -> [UInt8]? {
        guard let length, pending.count >= 2 + length else { return nil }
        let message = Array(pending[2..<2 + length])
        pending.removeFirst(2 + length)
        return message
    }
}
