/// Text that is safe to print, for bytes from any source.
package enum PresentationText {
    /// The bytes as printable ASCII. Backslash and all other bytes become `\DDD` (RFC 1035 §5.1).
    package static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        text.reserveCapacity(bytes.count)
        for byte in bytes { append(byte, to: &text) }
        return text
    }

    /// Appends one byte. Printable ASCII except backslash is unchanged.
    static func append(_ byte: UInt8, to text: inout String) {
        if (0x20...0x7e).contains(byte), byte != UInt8(ascii: "\\") {
            text.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
            appendEscape(byte, to: &text)
        }
    }

    static func appendEscape(_ byte: UInt8, to text: inout String) {
        text += "\\"
        for digit in [byte / 100, byte / 10 % 10, byte % 10] {
            text.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "0") + digit))
        }
    }

    /// A user's text without characters that control a terminal, truncated to the length of a line.
    static func printable(_ text: String, limit: Int = 80) -> String {
        var result = ""
        for (count, scalar) in text.unicodeScalars.enumerated() {
            guard count < limit else { return result + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
