/// Text that came from the network, a file or a label, made harmless for where it is shown.
public enum EscapedText {
    /// For a terminal and every plain text: control characters, bidirectional overrides and what
    /// else cannot be seen become their code, such as `\u{1B}`.
    public static func terminal(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isHidden(scalar) {
                result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    /// For a cell of CSV (RFC 4180 §2), which a spreadsheet does not take for a formula.
    public static func csv(_ text: String) -> String {
        var cell = terminal(text)
        if let first = cell.first, "=+-@".contains(first) { cell = "'" + cell }
        guard cell.contains(where: { ",\"".contains($0) }) else { return cell }
        return "\""
            + cell.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }

    /// For Markdown with GitHub's tables: nothing in it is markup.
    public static func markdown(_ text: String) -> String {
        var escaped = ""
        for character in terminal(text) {
            // These begin a list, a heading or a rule where a line begins.
            let leads = escaped.isEmpty && "#+-=".contains(character)
            if leads || "\\`*_[]<>|~&$".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    /// For a string of JSON, without its quotation marks (RFC 8259 §7).
    public static func json(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isHidden(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a reader could not see it, or it would change how its neighbours are shown.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
