/// The place of one record in a message (RFC 1035 §4.1.3). All of it is inside the message.
struct RecordFrame {
    let start: Int
    let type: RecordType
    /// The TTL in seconds.
    let ttl: UInt32
    /// The offsets of the record's data.
    let data: Range<Int>

    /// The number of bytes between the end of the owner name and the data: type, class, TTL,
    /// length.
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
        // A set highest bit means zero (RFC 2181 §8).
        ttl = value > UInt32(Int32.max) ? 0 : value
        data = dataStart..<dataEnd
    }
}

/// Checks the names in a message (RFC 1035 §4.1.4). After that, ldns never reads a name that leads
/// out of the message or in circles.
enum NameWalk {
    /// The maximum number of labels of a name, and therefore of pointers.
    private static let maximumPointers = 127

    /// The offset after the name that begins at `start`.
    static func end(of start: Int, in message: Span<UInt8>) throws(Malformation) -> Int {
        var position = start
        var end: Int?
        var earliest = start
        var size = 0
        var pointers = 0
        while true {
            guard position < message.count else { throw Malformation("ends inside a name") }
            let byte = message[position]
            switch byte {
            case 0:
                return end ?? position + 1
            case 1...63:
                position += Int(byte) + 1
                size += Int(byte) + 1
                guard size < 255 else { throw Malformation("has a name of over 255 bytes") }
            case 0xc0...0xff:
                guard position + 1 < message.count else { throw Malformation("ends inside a name") }
                end = end ?? position + 2
                position = Int(message.uint16(at: position) & 0x3fff)
                pointers += 1
                guard position >= MessageHeader.size, position < earliest,
                    pointers <= maximumPointers
                else { throw Malformation("has a name whose pointers do not lead back to one") }
                earliest = position
            default:
                throw Malformation("has a label of an unknown kind")
            }
        }
    }
}
