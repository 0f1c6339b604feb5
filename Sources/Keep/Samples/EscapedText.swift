/// Text from the network, a file or a label, escaped for its output format.
///
/// All functions work on Unicode scalars. A combining mark forms one character with the sign before it. A
/// comparison of characters would then miss a markup sign.
package enum EscapedText {
    /// Escapes for a terminal and every plain text: ``HiddenScalars`` become their code, such as `\u{1B}`.
    package static func terminal(_ text: String) -> String {
        if HiddenScalars.areAbsent(from: text) { return text }
        var hidden = HiddenScalars()
        return replacing(text) { scalar in
            hidden.contain(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : nil
        }
    }

    /// Escapes for a CSV cell (RFC 4180 §2). A spreadsheet does not interpret it as a formula.
    package static func csv(_ text: String) -> String {
        var cell = terminal(text)
        if let first = cell.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) {
            cell = "'" + cell
        }
        guard cell.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return cell }
        return "\"" + replacing(cell) { $0 == "\"" ? "\"\"" : nil } + "\""
    }

    /// Escapes for Markdown with GitHub's tables. The result contains no markup, link or mention.
    package static func markdown(_ text: String) -> String {
        var line = LineStart()
        return replacing(terminal(text)) { scalar in
            defer { line.append(scalar) }
            switch scalar {
            case " " where line.isEmpty || line.isNumberWithEnd: return "&#32;"
            // At the beginning of a line, these begin a list, a heading or a rule.
            case "#" where line.isEmpty, "+" where line.isEmpty, "-" where line.isEmpty,
                "=" where line.isEmpty:
                return "\\" + String(scalar)
            // Text that looks like an address would become a link.
            case "/" where line.last == ":", "." where line.endsInWWW:
                return "\\" + String(scalar)
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "~", "&", "$", "@":
                return "\\" + String(scalar)
            default: return nil
            }
        }
    }

    /// Escapes for a JSON string, without its quotation marks (RFC 8259 §7).
    package static func json(_ text: String) -> String {
        var hidden = HiddenScalars()
        return replacing(text) { scalar in
            let isHidden = hidden.contain(scalar)
            switch scalar {
            case "\"": return "\\\""
            case "\\": return "\\\\"
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            default: return isHidden ? scalar.codeInJSON : nil
            }
        }
    }

    package static func replacing(
        _ text: String,
        _ replacement: (Unicode.Scalar) -> String?
    ) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if let replacement = replacement(scalar) {
                result += replacement
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The beginning of a line of Markdown, as far as it affects the next scalar.
private struct LineStart {
    private(set) var isEmpty = true
    private(set) var last: Unicode.Scalar?
    /// Text such as `12.` or `3)`, which becomes a list item when a space follows.
    private(set) var isNumberWithEnd = false
    private var isNumber = true
    private var ws = 0

    var endsInWWW: Bool { ws == 3 }

    mutating func append(_ scalar: Unicode.Scalar) {
        isNumberWithEnd = isNumber && !isEmpty && (scalar == "." || scalar == ")")
        isNumber = isNumber && ("0"..."9").contains(scalar)
        ws = scalar == "w" || scalar == "W" ? ws + 1 : 0
        isEmpty = false
        last = scalar
    }
}
