/// A drawing of a fixed size: marks in the order in which they cover each other.
struct Canvas: Hashable, Sendable {
    let width: Double
    let height: Double
    let marks: [Mark]

    /// The drawing as a standalone SVG 1.1 document. `identifier` begins the ids of the title and
    /// the description, which must differ between the charts of one page; without `style` it is for
    /// a page that has it.
    func svg(title: String, description: String, identifier: String, style: String?) -> String {
        let width = DecimalText.trimmed(width, places: 2)
        let height = DecimalText.trimmed(height, places: 2)
        let id = identifier.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let head = [
            #"<svg xmlns="http://www.w3.org/2000/svg" class="dnstempo" width="\#(width)""#
                + #" height="\#(height)" viewBox="0 0 \#(width) \#(height)" role="img""#
                + #" aria-labelledby="\#(id)-title \#(id)-desc">"#,
            #"<title id="\#(id)-title">\#(XMLText.escaped(title))</title>"#,
            #"<desc id="\#(id)-desc">\#(XMLText.escaped(description))</desc>"#,
            style.map { "<style>\n\($0)\n</style>" },
            #"<rect class="ground" width="\#(width)" height="\#(height)"/>"#,
        ].compactMap(\.self)
        return (head + marks.map(\.element) + ["</svg>"]).map { $0 + "\n" }.joined()
    }
}

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
