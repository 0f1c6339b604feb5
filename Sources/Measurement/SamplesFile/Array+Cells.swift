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

    /// `text` without what a terminal or a spreadsheet would obey, or a reader not see:
    /// ``HiddenScalars`` are written as `\DDD`, an octet each, as in a domain name (RFC 1035 §5.1).
    static func harmless(_ text: String) -> [UInt8] {
        var octets: [UInt8] = []
        if let first = text.utf8.first, Self.startsFormula(first) || first == UInt8(ascii: "'") {
            octets.append(UInt8(ascii: "'"))
        }
        if HiddenScalars.areAbsent(from: text) { return octets + text.utf8 }
        var hidden = HiddenScalars()
        for scalar in text.unicodeScalars {
            let isHidden = hidden.contain(scalar)
            for octet in String(scalar).utf8 {
                guard isHidden else {
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

    /// Adds `text` as a JSON string (RFC 8259 §7), in which ``HiddenScalars`` are escaped.
    mutating func append(jsonString text: String) {
        append(UInt8(ascii: "\""))
        var hidden = HiddenScalars()
        for scalar in text.unicodeScalars {
            let isHidden = hidden.contain(scalar)
            switch scalar.value {
            case 0x22, 0x5c:
                append(UInt8(ascii: "\\"))
                append(UInt8(scalar.value))
            case _ where isHidden: self += scalar.codeInJSON.utf8
            default: self += String(scalar).utf8
            }
        }
        append(UInt8(ascii: "\""))
    }
}
