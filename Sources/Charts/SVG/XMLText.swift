/// Text as XML character data and attribute values.
enum XMLText {
    /// `text` with the markup characters escaped, and without what XML 1.0 §2.2 forbids or what
    /// would reorder the text around it (controls, bidirectional overrides); a line break or tab
    /// becomes a space.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            default:
                if !isRefused(scalar) { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        case 0x2028...0x2029: true
        default: scalar.properties.isNoncharacterCodePoint
        }
    }
}
