import Catalogue

/// Takes JSON (RFC 8259) apart octet by octet: the parts that every reader of it needs.
struct JSONScanner {
    let text: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
        skipSpace()
    }

    var isAtEnd: Bool { position == text.endIndex }

    /// Reads a number, `true`, `false` or `null` as it stands; empty where there is none.
    mutating func readBare() -> ArraySlice<UInt8> {
        let start = position
        while position < text.endIndex, Self.isBare(text[position]) { position += 1 }
        defer { skipSpace() }
        return text[start..<position]
    }

    /// Letters, digits, sign and point: what numbers and names consist of.
    private static func isBare(_ octet: UInt8) -> Bool {
        octet.isAlphanumeric || "+-.".utf8.contains(octet)
    }

    /// Reads the rest of a string with its closing quote (RFC 8259 §7), as UTF-8.
    mutating func readString(_ take: (UInt8) -> Void) throws(JSONFault) {
        while position < text.endIndex {
            let octet = text[position]
            position += 1
            switch octet {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                for octet in String(try readEscape()).utf8 { take(octet) }
            default: take(octet)
            }
        }
        throw fault("a string does not end")
    }

    private mutating func readEscape() throws(JSONFault) -> Unicode.Scalar {
        guard position < text.endIndex else { throw fault("a string does not end") }
        let octet = text[position]
        position += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(octet)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readCodeUnits()
        default: throw fault("a string has an escape that JSON does not know")
        }
    }

    /// Reads what follows `\u`: four hexadecimal digits, or two such units for a character beyond
    /// the first 65,536. Half of a pair becomes the replacement character.
    private mutating func readCodeUnits() throws(JSONFault) -> Unicode.Scalar {
        let first = try readCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let next = position
        guard first < 0xdc00, position + 1 < text.endIndex, text[position] == UInt8(ascii: "\\"),
            text[position + 1] == UInt8(ascii: "u")
        else { return "\u{fffd}" }
        position += 2
        let second = try readCodeUnit()
        if (0xdc00..<0xe000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
        {
            return scalar
        }
        position = next
        return "\u{fffd}"
    }

    private mutating func readCodeUnit() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < text.endIndex,
                let digit = Character(Unicode.Scalar(text[position])).hexDigitValue
            else { throw fault("a \\u is not followed by four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// Takes `character`, and the space after it, if it is the next one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.endIndex, UInt32(text[position]) == character.value else {
            return false
        }
        position += 1
        // Within a string, space counts.
        if character != "\"" { skipSpace() }
        return true
    }

    mutating func skipSpace() {
        while position < text.endIndex, Self.isSpace(text[position]) { position += 1 }
    }

    static func isSpace(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
            || octet == UInt8(ascii: "\n")
    }

    /// Reads a key with its colon.
    mutating func readKey() throws(JSONFault) -> [UInt8] {
        guard skip("\"") else { throw fault("a key is a string in double quotes") }
        var key: [UInt8] = []
        try readString { key.append($0) }
        skipSpace()
        guard skip(":") else { throw fault("a key lacks its colon") }
        return key
    }

    func fault(_ reason: String, of column: SampleColumn? = nil) -> JSONFault {
        JSONFault(position: position, column: column, reason: reason)
    }
}

/// A text that is no JSON, and where it ceases to be.
struct JSONFault: Error {
    /// Index into the text.
    var position: Int
    /// The column whose value it is, where a row has columns.
    var column: SampleColumn?
    var reason: String
}
