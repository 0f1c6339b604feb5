/// Where one record lies in a message (RFC 1035 §4.1.3), all of it inside.
struct RecordFrame {
    let start: Int
    let type: RecordType
    /// In seconds.
    let ttl: UInt32
    /// Offsets of its data.
    let data: Range<Int>

    /// The octets between the owner's end and the data: type, class, TTL, length.
    private static let fixedSize = 10

    init(at start: Int, in message: Span<UInt8>) throws(Malformation) {
        let ownerEnd = try NameWalk.end(of: start, in: message)
        let dataStart = ownerEnd + Self.fixedSize
        guard dataStart <= message.count else { throw Malformation("ends inside a record") }
        let dataEnd = dataStart + Int(message.uint16(at: ownerEnd + 8))
        guard dataEnd <= message.count else {
            throw Malformation("ends inside the data of a record")
        }
        self.start = start
        type = RecordType(rawValue: message.uint16(at: ownerEnd))
        let value =
            UInt32(message.uint16(at: ownerEnd + 4)) << 16
            | UInt32(message.uint16(at: ownerEnd + 6))
        // The highest bit set means zero (RFC 2181 §8).
        ttl = value > UInt32(Int32.max) ? 0 : value
        data = dataStart..<dataEnd
    }
}
