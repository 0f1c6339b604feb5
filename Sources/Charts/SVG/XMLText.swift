/// Text as XML character data and attribute values.
enum XMLText {
    /// `text` with the markup characters escaped, and without what XML 1.0 §2.2 forbids, what cannot
    /// be seen or would reorder the text around it (controls, bidirectional overrides, zero widths),
    /// and what would make a picture of a mark and the markup before it; a line break or tab becomes
    /// a space.
    static func escaped(_ text: String) -> String {
        var result = ""
        var before: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            case _ where isRefused(scalar, after: before): continue
            default: result.unicodeScalars.append(scalar)
            }
            before = scalar
        }
        return result
    }

    private static func isRefused(
        _ scalar: Unicode.Scalar,
        after before: Unicode.Scalar?
    ) -> Bool {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse,
            .unassigned:
            return true
        case .nonspacingMark, .enclosingMark, .spacingMark:
            return before.map { $0.isASCII && !$0.properties.isAlphabetic } ?? true
        default: return false
        }
    }
}
