/// Detects the scalars of a text that a reader cannot see or that would mislead the reader. These are
/// controls, bidirectional overrides, scalars without width, and combining marks without a letter.
package struct HiddenScalars {
    /// The number of further marks that the preceding letter may carry.
    private var room = 0

    /// The maximum number of marks per letter. Scripts with stacked marks need no more.
    private static let mostMarks = 4

    package init() {}

    /// Whether a quick check shows that `text` contains no hidden scalar.
    package static func areAbsent(from text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    /// Whether the next scalar of the text is hidden.
    package mutating func contain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            room =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                ? Self.mostMarks : 0
            return scalar.value < 0x20 || scalar.value == 0x7f
        }
        let properties = scalar.properties
        if !properties.isDefaultIgnorableCodePoint {
            switch properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse,
                .unassigned:
                break
            case .nonspacingMark, .enclosingMark, .spacingMark:
                guard room > 0 else { return true }
                room -= 1
                return false
            default:
                room = Self.mostMarks
                return false
            }
        }
        room = 0
        return true
    }
}

extension Unicode.Scalar {
    /// The JSON escape of the scalar, such as `\u202e` (RFC 8259 §7). A scalar beyond U+FFFF has two escapes.
    package var codeInJSON: String {
        String(self).utf16.reduce(into: "") { text, unit in
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

extension [UInt8] {
    /// Adds `text` as a CSV cell (RFC 4180), with quotation marks if necessary. A spreadsheet interprets a
    /// leading = + - @ as a formula. The cell therefore gets a leading apostrophe. A text with a leading
    /// apostrophe gets one as well, so that a reader can remove it.
    mutating func append(csvCell text: String) {
        let cell = Self.harmless(text)
        guard cell.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
            self += cell
            return
        }
        append(UInt8(ascii: "\""))
        for byte in cell {
            if byte == UInt8(ascii: "\"") { append(byte) }
            append(byte)
        }
        append(UInt8(ascii: "\""))
    }

    /// The `text` without characters that a terminal or a spreadsheet would interpret, or that a reader could
    /// not see. Each byte of ``HiddenScalars`` is written as `\DDD`, as in a domain name (RFC 1035 §5.1).
    static func harmless(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        if let first = text.utf8.first, Self.startsFormula(first) || first == UInt8(ascii: "'") {
            bytes.append(UInt8(ascii: "'"))
        }
        if HiddenScalars.areAbsent(from: text) { return bytes + text.utf8 }
        var hidden = HiddenScalars()
        for scalar in text.unicodeScalars {
            let isHidden = hidden.contain(scalar)
            for byte in String(scalar).utf8 {
                guard isHidden else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(padded: Int(byte), to: 3)
            }
        }
        return bytes
    }

    /// Whether a spreadsheet interprets a cell with this first byte as a formula.
    static func startsFormula(_ byte: UInt8) -> Bool { "=+-@".utf8.contains(byte) }

    /// Adds `text` as a JSON string (RFC 8259 §7), with escaped ``HiddenScalars``.
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

    mutating func append(decimal value: some FixedWidthInteger) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = UInt64(value.magnitude)
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Adds the last `width` digits of `value` with leading zeros. `value` must not be negative.
    mutating func append(padded value: Int, to width: Int) {
        let start = count
        var rest = value
        for _ in 0..<width {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// Adds `nanoseconds` as milliseconds with three decimals, or with six if it is not a whole number of
    /// microseconds.
    mutating func append(milliseconds nanoseconds: Int64) {
        if nanoseconds < 0 { append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        append(decimal: magnitude / 1_000_000)
        append(UInt8(ascii: "."))
        let fraction = Int(magnitude % 1_000_000)
        let micro = fraction % 1000 == 0
        append(padded: micro ? fraction / 1000 : fraction, to: micro ? 3 : 6)
    }
}
