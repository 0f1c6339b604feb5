/// Takes a samples file apart that has a flat JSON object (RFC 8259) a line. Keys come in any
/// order, and unknown ones are passed over.
struct JSONLinesReader: RowReader {
    private var lines: FileLines
    private var line: ArraySlice<UInt8> = []
    private var position = 0

    init(_ lines: FileLines) { self.lines = lines }

    mutating func next(into cells: inout SampleCells) throws -> Bool {
        repeat {
            guard let next = try lines.next() else { return false }
            line = next
            position = line.startIndex
            skipSpace()
        } while position == line.endIndex
        cells.clear(line: lines.count)
        try readObject(into: &cells)
        guard position == line.endIndex else { throw malformed("something follows the object") }
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
        while position < line.endIndex, Self.isBare(line[position]) { position += 1 }
        let value = line[start..<position]
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
        while position < line.endIndex {
            let octet = line[position]
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
        guard position < line.endIndex else { throw malformed("a string does not end") }
        let octet = line[position]
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
        guard first < 0xdc00, position + 1 < line.endIndex, line[position] == UInt8(ascii: "\\"),
            line[position + 1] == UInt8(ascii: "u")
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
            guard position < line.endIndex,
                let digit = Character(Unicode.Scalar(line[position])).hexDigitValue
            else { throw malformed("a \\u is not followed by four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    /// Takes `character`, and the space after it, if it is the next one.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < line.endIndex, UInt32(line[position]) == character.value else {
            return false
        }
        position += 1
        // Within a string, space counts.
        if character != "\"" { skipSpace() }
        return true
    }

    private mutating func skipSpace() {
        while position < line.endIndex, Self.isSpace(line[position]) { position += 1 }
    }

    private static func isSpace(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") || octet == UInt8(ascii: "\r")
    }

    private func malformed(_ reason: String, _ column: SampleColumn? = nil) -> SamplesError {
        SamplesError(file: lines.file, line: lines.count, column: column?.title, reason: reason)
    }
}
