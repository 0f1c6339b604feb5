/// Tells which scalars of a text its reader could not see, or would be misled by: controls,
/// bidirectional overrides, what has no width, and marks that no letter carries.
package struct HiddenScalars {
    /// Marks that the letter before may still carry.
    private var room = 0

    /// Scripts that pile up marks need no more of them on one letter.
    private static let mostMarks = 4

    package init() {}

    /// Whether nothing in `text` is hidden, as far as that is told at a glance.
    package static func areAbsent(from text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    /// Whether the next scalar of the text is.
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
    /// Such as `\u202e`, in a string of JSON (RFC 8259 §7); two of them beyond U+FFFF.
    package var codeInJSON: String {
        String(self).utf16.reduce(into: "") { text, unit in
            let digits = String(unit, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
}

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
    static func startsFormula(_ octet: UInt8) -> Bool { "=+-@".utf8.contains(octet) }

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

    /// Adds the last `width` digits of `value`, which is not negative, with leading zeros.
    mutating func append(padded value: Int, to width: Int) {
        let start = count
        var rest = value
        for _ in 0..<width {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        self[start...].reverse()
    }

    /// Adds `nanoseconds` as milliseconds with three decimals, or six where it is not a whole
    /// number of microseconds.
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
