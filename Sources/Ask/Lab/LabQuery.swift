import DNSWire

/// The parts of a query that a simulated resolver uses (RFC 1035 §4.1).
struct LabQuery {
    /// The sender's OPT record (RFC 6891 §6.1).
    struct EDNS {
        var payload: UInt16
        /// Whether it requests the server's identifier (RFC 5001).
        var asksSite = false
        /// Whether it requests signatures with the answer (RFC 3225).
        var dnssecOK = false
    }

    static let opt: UInt16 = 41
    static let nsid: UInt16 = 3

    let id: UInt16
    let flags: UInt16
    /// The question's bytes as received, for the copy in the response.
    let question: [UInt8]
    /// The name in wire form and lower case.
    let name: [UInt8]
    let type: UInt16
    let recordClass: UInt16
    let edns: EDNS?

    /// Reads a message; `nil` unless it is a query with one question and at most one OPT record
    /// after it.
    init?(_ message: [UInt8]) {
        var reader = MessageReader(message)
        guard let id = reader.uint16(), let flags = reader.uint16(), flags & 0x8000 == 0,
            reader.uint16() == 1, reader.uint16() == 0, reader.uint16() == 0,
            let additional = reader.uint16(), additional <= 1,
            let name = reader.name(), let type = reader.uint16(), let recordClass = reader.uint16()
        else { return nil }
        self.id = id
        self.flags = flags
        self.name = name
        self.type = type
        self.recordClass = recordClass
        question = Array(message[12..<reader.position])
        if additional == 1 {
            guard let edns = Self.edns(from: &reader) else { return nil }
            self.edns = edns
        } else {
            edns = nil
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func edns(from reader: inout MessageReader) -> EDNS? {
        guard reader.uint8() == 0, reader.uint16() == opt, let payload = reader.uint16(),
            reader.uint16() != nil, let flags = reader.uint16(), let length = reader.uint16(),
            let data = reader.take(Int(length))
        else { return nil }
        var edns = EDNS(payload: payload)
        edns.dnssecOK = flags & 0x8000 != 0
        var options = MessageReader(Array(data))
        while !options.isAtEnd {
            guard let code = options.uint16(), let size = options.uint16(),
                options.take(Int(size)) != nil
            else { return nil }
            if code == nsid { edns.asksSite = true }
        }
        return edns
    }

    var opcode: UInt16 { flags >> 11 & 0xF }

    var isRandom: Bool { name.dropFirst().starts(with: UncachedQuery.labelPrefix.utf8) }

    /// Whether the name is `invalid.` or below it. No such name exists (RFC 6761 §6.4).
    var isInvalid: Bool { isWithin(LabAnswer.invalidZone) }

    /// Whether the name is the zone `suffix` or below it.
    func isWithin(_ suffix: [UInt8]) -> Bool {
        var reader = MessageReader(name)
        while reader.position + suffix.count <= name.count {
            if name[reader.position...].elementsEqual(suffix) { return true }
            guard let length = reader.uint8(), reader.take(Int(length)) != nil else { return false }
        }
        return false
    }
}

/// Reads a DNS message from its start; `nil` if it ends too early.
struct MessageReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }
    mutating func uint8() -> UInt8? { take(1)?.first }
    mutating func uint16() -> UInt16? { take(2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } } }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// A name without compression, in wire form and lower case; at most 255 bytes (RFC 1035
    /// §2.3.4).
    mutating func name() -> [UInt8]? {
        var name: [UInt8] = []
        while let length = uint8(), length < 64, let label = take(Int(length)) {
            name.append(length)
            name += label.map { (65...90).contains($0) ? $0 + 32 : $0 }
            guard name.count <= 255 else { return nil }
            if length == 0 { return name }
        }
        return nil
    }
}
