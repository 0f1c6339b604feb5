import Foundation
import Testing

/// A file of dnstap frames. This reader of Frame Streams and Protocol Buffers shares no code with the
/// program.
struct DnstapFile {
    /// A message, with the fields of the dnstap schema (dnstap.info).
    struct Frame {
        /// The type of the message: 11 is `TOOL_QUERY`, 12 is `TOOL_RESPONSE`.
        var type = 0
        /// The number of the protocol in the schema's `SocketProtocol`.
        var transport = 0
        var port = 0
        /// The time of sending, in nanoseconds since 1970.
        var sent: Int64 = 0
        var received: Int64 = 0
        var query: [UInt8] = []
        var response: [UInt8] = []

        var isQuery: Bool { type == 11 }
        var message: [UInt8] { isQuery ? query : response }
    }

    let frames: [Frame]

    init(_ octets: [UInt8]) throws {
        var rest = octets[...]
        var frames: [Frame] = []
        while rest.count >= 4 {
            let count = Self.length(rest)
            rest = rest.dropFirst(4)
            if count == 0 {
                // A control frame: its length, then its content.
                rest = rest.dropFirst(4 + Self.length(rest))
                continue
            }
            try #require(count <= rest.count)
            frames.append(Frame(Self.fields(rest.prefix(count))[14]?.octets ?? []))
            rest = rest.dropFirst(count)
        }
        self.frames = frames
    }

    private static func length(_ octets: ArraySlice<UInt8>) -> Int {
        octets.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate struct Field {
        var number: UInt64 = 0
        var octets: ArraySlice<UInt8> = []
    }

    fileprivate static func fields(_ octets: ArraySlice<UInt8>) -> [Int: Field] {
        var rest = octets
        func varint() -> UInt64 {
            var (number, shift) = (UInt64(0), UInt64(0))
            while let octet = rest.popFirst() {
                number |= UInt64(octet & 0x7f) << shift
                shift += 7
                if octet < 0x80 { break }
            }
            return number
        }
        var fields: [Int: Field] = [:]
        while !rest.isEmpty {
            let key = varint()
            var field = Field()
            switch key & 7 {
            case 0: field.number = varint()
            case 2:
                let count = Int(varint())
                field.octets = rest.prefix(count)
                rest = rest.dropFirst(count)
            default:
                let size = key & 7 == 1 ? 8 : 4
                field.number = rest.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
                rest = rest.dropFirst(size)
            }
            fields[Int(key >> 3)] = field
        }
        return fields
    }
}

extension DnstapFile.Frame {
    fileprivate init(_ octets: ArraySlice<UInt8>) {
        let fields = DnstapFile.fields(octets)
        func number(_ tag: Int) -> Int64 { Int64(fields[tag]?.number ?? 0) }
        type = Int(number(1))
        transport = Int(number(3))
        port = Int(number(7))
        sent = number(8) * 1_000_000_000 + number(9)
        query = Array(fields[10]?.octets ?? [])
        received = number(12) * 1_000_000_000 + number(13)
        response = Array(fields[14]?.octets ?? [])
    }
}
