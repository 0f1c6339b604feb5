extension [UInt8] {
    /// Adds `text` as a cell of RFC 4180, quoted where it has to be. A spreadsheet takes a leading
    /// = + - @ for a formula, so an apostrophe goes before it, and before an apostrophe, so that it
    /// can be taken off again.
    mutating func append(csvCell text: String) {
        let cell = Self.harmless(text)
        guard cell.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
            self += cell
            return
        }
        append(UInt8(ascii: "\""))
        for octet in cell {
            if octet == UInt8(ascii: "\"") { append(octet) }
            append(octet)
        }
        append(UInt8(ascii: "\""))
    }

    /// `text` without what a terminal or a spreadsheet would obey: control characters (C0, DEL and
    /// C1) are written as `\DDD`, an octet each, as in a domain name (RFC 1035 §5.1).
    static func harmless(_ text: String) -> [UInt8] {
        var octets: [UInt8] = []
        if let first = text.utf8.first, Self.startsFormula(first) || first == UInt8(ascii: "'") {
            octets.append(UInt8(ascii: "'"))
        }
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            for octet in String(scalar).utf8 {
                guard isControl else {
                    octets.append(octet)
                    continue
                }
                octets.append(UInt8(ascii: "\\"))
                octets.append(padded: Int(octet), to: 3)
            }
        }
        return octets
    }

    /// Whether a spreadsheet takes a cell that begins so for a formula.
    static func startsFormula(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"): true
        default: false
        }
    }

    /// Adds `text` as a JSON string (RFC 8259 §7); control characters are escaped, C1 ones too.
    mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5c:
                append(UInt8(ascii: "\\"))
                append(UInt8(scalar.value))
            case 0x00..<0x20, 0x7f..<0xa0:
                self += "\\u00".utf8
                for digit in [scalar.value >> 4, scalar.value & 0xf] {
                    append(UInt8(digit < 10 ? 0x30 + digit : 0x57 + digit))
                }
            default:
                self += String(scalar).utf8
            }
        }
        append(UInt8(ascii: "\""))
    }
}
