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
