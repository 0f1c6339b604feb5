/// The first 12 bytes of a message (RFC 1035 §4.1.1).
struct MessageHeader {
    static let size = 12

    /// A bit of the second 16-bit word.
    enum Flag: UInt16 {
        case response = 0x8000
        case authoritative = 0x0400
        case truncated = 0x0200
        case recursionDesired = 0x0100
        case recursionAvailable = 0x0080
        case authenticData = 0x0020
        case checkingDisabled = 0x0010
    }

    let id: UInt16
    let questionCount: UInt16
    let answerCount: UInt16
    let authorityCount: UInt16
    let additionalCount: UInt16
    private let flags: UInt16

    /// Reads a header; `nil` if the message is shorter than a header.
    init?(_ message: Span<UInt8>) {
        guard message.count >= Self.size else { return nil }
        id = message.uint16(at: 0)
        flags = message.uint16(at: 2)
        questionCount = message.uint16(at: 4)
        answerCount = message.uint16(at: 6)
        authorityCount = message.uint16(at: 8)
        additionalCount = message.uint16(at: 10)
    }

    func has(_ flag: Flag) -> Bool { flags & flag.rawValue != 0 }

    /// The lower four bits of the response code.
    var code: ResponseCode { ResponseCode(rawValue: flags & 0xf) }

    /// Whether the message is a response to a standard query (QUERY, opcode 0).
    var isResponse: Bool { has(.response) && flags & 0x7800 == 0 }
}

extension Span<UInt8> {
    /// Two bytes in network order. The caller has checked that they exist.
    func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }
}

extension UInt16 {
    /// Two bytes in network order.
    var bytes: [UInt8] { [UInt8(self >> 8), UInt8(self & 0xff)] }
}

/// The reason why a message is not valid, as a clause after `the response`.
struct Malformation: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
}
