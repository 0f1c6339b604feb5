import Catalogue

/// Reads JSON (RFC 8259) byte by byte. It contains the parts that all JSON readers need.
struct JSONScanner {
    let text: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
        skipSpace()
    }

    var isAtEnd: Bool { position == text.endIndex }

    /// Reads a number, `true`, `false` or `null` without interpreting it. The result is empty without any.
    mutating func readBare() -> ArraySlice<UInt8> {
        let start = position
        while position < text.endIndex, Self.isBare(text[position]) { position += 1 }
        defer { skipSpace() }
        return text[start..<position]
    }

    /// Whether the byte is a letter, a digit, a sign or a point. Numbers and names consist of these.
    private static func isBare(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "+-.".utf8.contains(byte)
    }

    /// Reads the rest of a string with its closing quote (RFC 8259 §7), and passes its UTF-8 bytes to `take`.
    mutating func readString(_ take: (UInt8) -> Void) throws(JSONFault) {
        while position < text.endIndex {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                for byte in String(try readEscape()).utf8 { take(byte) }
            default: take(byte)
            }
        }
        throw fault("a string does not end")
    }

    private mutating func readEscape() throws(JSONFault) -> Unicode.Scalar {
        guard position < text.endIndex else { throw fault("a string does not end") }
        let byte = text[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readCodeUnits()
        default: throw fault("a string has an escape that JSON does not know")
        }
    }

    /// Reads the characters after `\u`: four hexadecimal digits, or two such code units for a character
    /// beyond the first 65,536. An unpaired surrogate becomes the replacement character.
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

    /// Skips `character` and the space after it. Returns false if the next character is another one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.endIndex, UInt32(text[position]) == character.value else {
            return false
        }
        position += 1
        // Space within a string is significant.
        if character != "\"" { skipSpace() }
        return true
    }

    mutating func skipSpace() {
        while position < text.endIndex, Self.isSpace(text[position]) { position += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\n")
    }

    /// Reads a key and the colon after it.
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

/// The error for a text that is not valid JSON, with its position.
struct JSONFault: Error {
    /// The index in the text at which the error was found.
    var position: Int
    /// The column of the invalid value, if the row has columns.
    var column: SampleColumn?
    var reason: String
}
