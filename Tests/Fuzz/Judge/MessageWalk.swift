/// Walks over the records of a DNS message (RFC 1035 §4.1). It shares no code with the program,
/// whose reading is compared with its result.
struct MessageWalk {
    struct Record {
        var type: UInt16
        var recordClass: UInt16
        /// The TTL in seconds, unchanged from the message.
        var ttl: UInt32
        var data: Range<Int>
    }

    private let message: [UInt8]
    private(set) var position: Int

    init(_ message: [UInt8], at position: Int) {
        self.message = message
        self.position = position
    }

    /// Returns the end of the first question; `nil` if the question is cut.
    static func questionEnd(in message: [UInt8]) -> Int? {
        var walk = MessageWalk(message, at: 12)
        guard walk.skipName(), walk.position + 4 <= message.count else { return nil }
        return walk.position + 4
    }

    /// Returns the next record; `nil` if it is incomplete.
    mutating func next() -> Record? {
        guard skipName(), position + 10 <= message.count else { return nil }
        let start = position + 10
        let end = start + Int(message.number(at: position + 8))
        guard end <= message.count else { return nil }
        defer { position = end }
        return Record(
            type: message.number(at: position),
            recordClass: message.number(at: position + 2),
            ttl: UInt32(message.number(at: position + 4)) << 16
                | UInt32(message.number(at: position + 6)),
            data: start..<end
        )
    }

    /// Moves behind the name at the present position; returns `false` if the name does not end in
    /// the message.
    private mutating func skipName() -> Bool {
        var end: Int?
        var place = position
        // Each label and each pointer is a step. A name has at most 127 labels.
        for _ in 0..<256 {
            guard place < message.count else { return false }
            let octet = Int(message[place])
            if octet == 0 {
                position = end ?? place + 1
                return true
            }
            if octet < 0x40 {
                place += octet + 1
            } else {
                guard octet >= 0xc0, place + 1 < message.count else { return false }
                end = end ?? place + 2
                place = (octet & 0x3f) << 8 | Int(message[place + 1])
            }
        }
        return false
    }
}
