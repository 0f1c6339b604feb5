package import Failures

/// A question: a name, a type and a class.
package struct Question: Hashable, Sendable, Codable {
    package var name: DomainName
    package var type: RecordType
    package var recordClass: RecordClass

    package init(name: DomainName, type: RecordType, recordClass: RecordClass = .internet) {
        self.name = name
        self.type = type
        self.recordClass = recordClass
    }
}

/// A query that is built once and sent any number of times, with a new ID each time.
package struct Query: Sendable {
    package private(set) var question: Question
    package let options: QueryOptions
    /// The cookie in the query (RFC 7873 §4).
    package private(set) var cookie: DNSCookie?
    /// Whether its response keeps the data of its answers.
    package private(set) var keepsData = false
    /// Whether its exchanges keep the messages.
    package var keepsMessages = false
    /// Whether its exchanges count their packets.
    package var countsPackets = false
    /// The length prefix of TCP (RFC 1035 §4.2.2), then the message with ID 0.
    private var frame: [UInt8]
    private static let prefix = 2

    package init(_ question: Question, options: QueryOptions = QueryOptions()) throws(Failure) {
        let subject = "the query for \(question.name) \(question.type)"
        guard question.type.isQueryable else {
            throw .usage(
                "\(subject) is refused: \(question.type) is not an ordinary record type; query A, "
                    + "for example"
            )
        }
        guard let message = LDNSPacket(asking: question, options: options)?.wire() else {
            throw .usage("\(subject) could not be built: memory is short")
        }
        self.question = question
        self.options = options
        frame = UInt16(clamping: message.count).bytes + message
    }

    /// A query that was sent as `message`.
    init(_ question: Question, options: QueryOptions, cookie: DNSCookie?, sent message: [UInt8]) {
        self.question = question
        self.options = options
        self.cookie = cookie
        frame = UInt16(clamping: message.count).bytes + message
    }

    /// The size of the message in bytes.
    package var size: Int { frame.count - Self.prefix }

    /// Case bits for sending the query once. Bit `i % 64` is set if letter `i` of the name changes
    /// its case. Zero unless the options request it.
    package func caseBits(using generator: inout some RandomNumberGenerator) -> UInt64 {
        options.randomCase ? generator.next() : 0
    }

    /// The same query with other bytes at `offset` of the name's wire form. They are inside one
    /// label.
    func replacing(_ data: [UInt8], at offset: Int) -> Query {
        var query = self
        query.frame.replace(data, at: Self.prefix + 12 + offset)
        query.question.name = question.name.replacing(data, at: offset)
        return query
    }

    /// The same query with padding (RFC 7830), so that its size is a multiple of `block`. The
    /// padding option itself is always added. A query without EDNS is unchanged.
    package func padded(toMultipleOf block: Int) -> Query {
        let bare = size + EDNSOption.headerSize
        let padding = block > 0 ? (block - bare % block) % block : 0
        return adding(EDNSOption.padding, [UInt8](repeating: 0, count: padding))
    }

    /// The same query, whose response keeps the data of its answers.
    package var keepingData: Query {
        var query = self
        query.keepsData = true
        return query
    }

    /// The same query with `cookie`.
    package func carrying(_ cookie: DNSCookie) -> Query {
        var query = adding(EDNSOption.cookie, cookie.bytes)
        if hasEDNS { query.cookie = cookie }
        return query
    }

    /// The same query with one more EDNS option. A query without EDNS is unchanged.
    ///
    /// The OPT record is the last record of the message, so that the option is appended (RFC 6891
    /// §6.1.2).
    private func adding(_ option: UInt16, _ value: [UInt8]) -> Query {
        guard hasEDNS else { return self }
        var query = self
        query.frame += EDNSOption.encoded(option, value)
        // The fields after the question: the root's name, type, class and TTL.
        let dataLength = Self.prefix + 12 + question.name.wire.count + 4 + 9
        query.setLength(at: dataLength, to: query.frame.count - dataLength - 2)
        query.setLength(at: 0, to: query.size)
        return query
    }

    /// Whether the query has an OPT record, which is its only record after the question.
    var hasEDNS: Bool { frame[Self.prefix + 11] == 1 }

    /// Writes `length` into the two bytes at `offset` of the frame.
    private mutating func setLength(at offset: Int, to length: Int) {
        frame.replace(UInt16(clamping: length).bytes, at: offset)
    }

    /// The byte at `offset` of the message as it was built.
    func sentByte(at offset: Int) -> UInt8 { frame[Self.prefix + offset] }

    /// The message, with `id` as its ID.
    package func bytes(id: UInt16, caseBits: UInt64 = 0) -> [UInt8] {
        unsafe withBytes(id: id, caseBits: caseBits) { message in unsafe [UInt8](message) }
    }

    /// Lends the message with `id`, on the stack and only during the call. With `tcpPrefix`, the
    /// length prefix of TCP precedes it.
    package func withBytes<R>(
        id: UInt16,
        caseBits: UInt64 = 0,
        tcpPrefix: Bool = false,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        try unsafe withUnsafeTemporaryAllocation(byteCount: frame.count, alignment: 1) { scratch in
            unsafe scratch.copyBytes(from: frame)
            unsafe scratch[2] = UInt8(id >> 8)
            unsafe scratch[3] = UInt8(id & 0xff)
            if caseBits != 0 {
                var letters = CaseMixer(bits: caseBits)
                for index in Self.prefix + 12..<Self.prefix + 12 + question.name.wire.count {
                    unsafe scratch[index] = letters.mixed(scratch[index])
                }
            }
            let start = tcpPrefix ? 0 : Self.prefix
            return try unsafe body(UnsafeRawBufferPointer(rebasing: scratch[start...]))
        }
    }
}

extension [UInt8] {
    /// Replaces the bytes from `start` on with `bytes`, which does not change the size.
    mutating func replace(_ data: [UInt8], at start: Int) {
        replaceSubrange(start..<start + data.count, with: data)
    }
}

/// Changes the case of a name's letters, with one bit per letter.
struct CaseMixer {
    private var bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    /// The next byte of a name on the wire. Length bytes are below 64, so that they never look like
    /// letters.
    mutating func mixed(_ byte: UInt8) -> UInt8 {
        guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) else { return byte }
        let flip = UInt8(bits & 1) << 5
        bits = bits >> 1 | bits << 63
        return byte ^ flip
    }
}
