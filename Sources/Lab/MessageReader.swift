/// Reads a DNS message from its start; `nil` where it ends too early.
struct MessageReader {
    private let octets: [UInt8]
    private(set) var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { position == octets.count }

    mutating func uint8() -> UInt8? { take(1)?.first }

    mutating func uint16() -> UInt16? {
        take(2).map { $0.reduce(0) { $0 << 8 | UInt16($1) } }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= octets.count - position else { return nil }
        defer { position += count }
        return octets[position..<position + count]
    }

    /// A name without compression, in wire form and lower case; at most 255 octets (RFC 1035 §2.3.4).
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
