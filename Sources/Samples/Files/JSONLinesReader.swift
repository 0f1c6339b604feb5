/// Takes a samples file apart that has a flat JSON object (RFC 8259) a line. Keys come in any
/// order, and unknown ones are passed over.
struct JSONLinesReader {
    private var bytes: [UInt8]
    private let file: String
    private var position = 0
    private(set) var line = 0
    /// Where the line ends; before the first one.
    private var end = -1

    init(_ bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// Goes on with the lines in `bytes`, which follow those that were read.
    mutating func proceed(to bytes: [UInt8]) {
        self.bytes = bytes
        end = -1
    }

    /// Reads the next line that is not empty; `false` at the end.
    mutating func next(into cells: inout SampleCells) throws(SamplesError) -> Bool {
        repeat {
            position = end + 1
            guard position < bytes.count else { return false }
            line += 1
            end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            skipSpace()
        } while position == end
        cells.clear(line: line)
        try readObject(into: &cells)
        guard position == end else { throw malformed("something follows the object") }
        for column in SampleColumn.required where cells[column] == nil {
            throw malformed("this key is missing", column)
        }
        return true
    }

    private mutating func readObject(into cells: inout SampleCells) throws(SamplesError) {
        guard skip("{") else { throw malformed("a line is one object, in { }") }
        if skip("}") { return }
        repeat {
            guard skip("\"") else { throw malformed("a key is a string in double quotes") }
            var key: [UInt8] = []
            try readString { key.append($0) }
            skipSpace()
            guard skip(":") else { throw malformed("a key lacks its colon") }
            let column = SampleColumn(title: String(decoding: key, as: UTF8.self))
            if skip("\"") {
                try readString { cells.append($0) }
                skipSpace()
            } else {
                try readBare(of: column, into: &cells)
            }
            cells.endCell(of: column)
        } while skip(",")
        guard skip("}") else { throw malformed("the object does not end, or lacks a comma") }
    }

    /// Reads a number as it stands; `null` is an empty cell.
    private mutating func readBare(
        of column: SampleColumn?,
        into cells: inout SampleCells
    ) throws(SamplesError) {
        let start = position
        while position < end, Self.isBare(bytes[position]) { position += 1 }
        let value = bytes[start..<position]
        skipSpace()
        guard !value.isEmpty else {
            throw malformed("a value is a string, a number or null", column)
        }
        if !value.elementsEqual("null".utf8) { cells.append(value) }
    }

    /// Letters, digits, sign and point: what numbers and names consist of.
    private static func isBare(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Reads the rest of a string with its closing quote (RFC 8259 §7), as UTF-8.
    private mutating func readString(_ take: (UInt8) -> Void) throws(SamplesError) {
        while position < end {
            let octet = bytes[position]
            position += 1
            switch octet {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"):
                for octet in String(try readEscape()).utf8 { take(octet) }
            default: take(octet)
            }
        }
        throw malformed("a string does not end")
    }

    private mutating func readEscape() throws(SamplesError) -> Unicode.Scalar {
        guard position < end else { throw malformed("a string does not end") }
        let octet = bytes[position]
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
        default: throw malformed("a string has an escape that JSON does not know")
        }
    }

    /// Reads what follows `\u`: four hexadecimal digits, or two such units for a character beyond
    /// the first 65,536. Half of a pair becomes the replacement character.
    private mutating func readCodeUnits() throws(SamplesError) -> Unicode.Scalar {
        let first = try readCodeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        let next = position
        guard first < 0xdc00, position + 1 < end, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
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

    private mutating func readCodeUnit() throws(SamplesError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < end,
                let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
            else { throw malformed("a \\u is not followed by four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// Takes `character`, and the space after it, if it is the next one.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < end, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        // Within a string, space counts.
        if character != "\"" { skipSpace() }
        return true
    }

    private mutating func skipSpace() {
        while position < end, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
    }

    private func malformed(_ reason: String, _ column: SampleColumn? = nil) -> SamplesError {
        SamplesError(file: file, line: line, column: column?.title, reason: reason)
    }
}
