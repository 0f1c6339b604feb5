/// What tells one schedule from another: `[A-Za-z0-9][A-Za-z0-9._-]{0,62}`.
package struct ScheduleName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Reads what was given as `option`.
    package init(_ text: String, option: String = "--name") throws(ScheduleError) {
        guard text.utf8.count <= 63, let first = text.utf8.first, Self.isLetterOrDigit(first),
            text.utf8.allSatisfy({ Self.isLetterOrDigit($0) || "._-".utf8.contains($0) })
        else {
            throw ScheduleError(
                .usage,
                "\(option): '\(text.printable)' cannot be one; write up to 63 letters, digits, '.', "
                    + "'_' or '-' and begin with a letter or digit"
            )
        }
        description = text
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension String {
    /// For messages of one line: a question mark for each control character.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "?" : $0 }))
    }
}

extension Unicode.Scalar {
    /// Whether it moves the cursor or ends a line, where it does not show.
    var isControl: Bool { properties.generalCategory == .control || value == 0x2028 }
}
