extension [UInt8] {
    /// Reads base64 with its padding ([RFC 4648 §4](https://www.rfc-editor.org/rfc/rfc4648#section-4));
    /// `nil` for anything else.
    init?(base64 text: [UInt8]) {
        guard text.count % 4 == 0 else { return nil }
        self = []
        reserveCapacity(text.count / 4 * 3)
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bits: UInt32 = 0
        for (index, octet) in text.dropLast(padding).enumerated() {
            guard let value = Self.base64Value(octet) else { return nil }
            bits = bits << 6 | UInt32(value)
            guard index % 4 == 3 else { continue }
            append(UInt8(bits >> 16 & 0xff))
            append(UInt8(bits >> 8 & 0xff))
            append(UInt8(bits & 0xff))
        }
        switch padding {
        case 1:
            append(UInt8(bits >> 10 & 0xff))
            append(UInt8(bits >> 2 & 0xff))
        case 2: append(UInt8(bits >> 4 & 0xff))
        default: break
        }
    }

    private static func base64Value(_ octet: UInt8) -> UInt8? {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): octet - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): octet - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): octet - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
