/// Text that came from the network, a file or a label, made harmless for where it is shown.
///
/// All goes scalar by scalar: a mark makes one character of itself and the sign before it, which
/// then looks like no sign of markup, and is one.
package enum EscapedText {
    /// For a terminal and every plain text: ``HiddenScalars`` become their code, such as `\u{1B}`.
    package static func terminal(_ text: String) -> String {
        if HiddenScalars.areAbsent(from: text) { return text }
        var hidden = HiddenScalars()
        return replacing(text) { scalar in
            hidden.contain(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : nil
        }
    }

    /// For a cell of CSV (RFC 4180 §2), which a spreadsheet does not take for a formula.
    package static func csv(_ text: String) -> String {
        var cell = terminal(text)
        if let first = cell.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) {
            cell = "'" + cell
        }
        guard cell.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return cell }
        return "\"" + replacing(cell) { $0 == "\"" ? "\"\"" : nil } + "\""
    }

    /// For Markdown with GitHub's tables: nothing in it is markup, a link or a mention.
    package static func markdown(_ text: String) -> String {
        var line = LineStart()
        return replacing(terminal(text)) { scalar in
            defer { line.append(scalar) }
            switch scalar {
            case " " where line.isEmpty || line.isNumberWithEnd: return "&#32;"
            // These begin a list, a heading or a rule where a line begins.
            case "#" where line.isEmpty, "+" where line.isEmpty, "-" where line.isEmpty,
                "=" where line.isEmpty:
                return "\\" + String(scalar)
            // What looks like an address would be a link.
            case "/" where line.last == ":", "." where line.endsInWWW:
                return "\\" + String(scalar)
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "~", "&", "$", "@":
                return "\\" + String(scalar)
            default: return nil
            }
        }
    }

    /// For a string of JSON, without its quotation marks (RFC 8259 §7).
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

/// Beginning of a line of Markdown, as far as it tells what comes next.
private struct LineStart {
    private(set) var isEmpty = true
    private(set) var last: Unicode.Scalar?
    /// Such as `12.` or `3)`, which a space makes an item of a list.
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
