extension String {
    /// The number of terminal columns of the text. Escape sequences take no columns.
    package var displayWidth: Int {
        var width = 0
        var inSequence = false
        for scalar in unicodeScalars {
            if inSequence {
                inSequence = !("@"..."~").contains(scalar) || scalar == "["
            } else if scalar == "\u{1B}" {
                inSequence = true
            } else {
                width += scalar.displayWidth
            }
        }
        return width
    }

    /// The text, cut to at most `width` columns. An ellipsis replaces the omitted end.
    func truncated(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 0 else { return "" }
        var kept = ""
        var room = width - 1
        for character in self {
            let columns = String(character).displayWidth
            guard columns <= room else { break }
            room -= columns
            kept.append(character)
        }
        return kept + "…"
    }

    /// The text without trailing spaces.
    package var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// The text, cut to at most `width` columns. An ellipsis replaces the omitted middle, because
    /// addresses differ at their ends.
    func truncatedInside(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 3 else { return truncated(to: width) }
        let end = String(suffix((width - 1) / 2))
        let start = truncated(to: width - end.displayWidth)
        return (start + end).displayWidth > width ? truncated(to: width) : start + end
    }

    /// The text, padded with spaces to `width` columns.
    package func padded(to width: Int, atEnd: Bool = true) -> String {
        let spaces = String(repeating: " ", count: max(0, width - displayWidth))
        return atEnd ? self + spaces : spaces + self
    }

    /// Lines of at most `width` columns. Lines break at spaces, but not before a unit and not
    /// within a command. A longer word or command has a line of its own.
    package func wrapped(to width: Int, indent: String = "") -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words {
            let longer = line.isEmpty ? word : line + " " + word
            let margin = lines.isEmpty ? "" : indent
            if (margin + longer).displayWidth > width, !line.isEmpty {
                lines.append(margin + line)
                line = word
            } else {
                line = longer
            }
        }
        if !line.isEmpty { lines.append((lines.isEmpty ? "" : indent) + line) }
        return lines
    }

    /// The words between spaces. A number forms one word with its unit and with a preceding `>` or
    /// `<`. A command forms one word with its options.
    private var words: [String] {
        var rest = split(separator: " ").map(String.init)[...]
        var words: [String] = []
        while let word = rest.popFirst() {
            let last = words.last ?? ""
            if word == "dnstempo", !rest.isEmpty {
                words.append(Self.command(word, of: &rest, endsText: last.hasSuffix(":")))
            } else if Self.areOneTerm(last, word) {
                words[words.count - 1] += " " + word
            } else {
                words.append(word)
            }
        }
        return words
    }

    /// The text with `space` between each number and its unit, and between a sign and a number. The
    /// signs are `<` and `>`, or `&lt;` and `&gt;`.
    func unitsJoined(by space: String) -> String {
        let words = split(separator: " ", omittingEmptySubsequences: false)
        return words.indices.dropFirst().reduce(into: String(words.first ?? "")) { text, index in
            let isTerm = Self.areOneTerm(words[index - 1], words[index])
            text += (isTerm ? space : " ") + words[index]
        }
    }

    /// Whether two words are a number and its unit, or a sign such as `<` and a number.
    private static func areOneTerm<Word: StringProtocol>(_ first: Word, _ second: Word) -> Bool {
        if first.last?.isNumber == true {
            return units.contains(String(second.prefix { $0.isLetter || $0 == "%" }))
        }
        return second.first?.isNumber == true && bounds.contains(String(first))
    }

    private static let bounds: Set<String> = [">", "<", "≥", "≤", "&gt;", "&lt;"]

    private static let units: Set<String> = [
        "ms", "µs", "s", "min", "h", "d", "%", "B", "kB", "MB", "GB", "KiB", "MiB", "GiB", "km",
    ]

    /// A command, whose words are removed from `rest`. After a colon, the command extends to the
    /// end of the text, unless a sentence ends there. Otherwise it has a subcommand, and options
    /// with one value each.
    private static func command(
        _ name: String,
        of rest: inout ArraySlice<String>,
        endsText: Bool
    ) -> String {
        var taken = [name]
        if endsText, !rest.contains(where: { $0.hasSuffix(".") }) {
            taken += rest
            rest = []
        } else if let first = rest.first, first.allSatisfy({ $0.isLowercase || $0 == "-" }) {
            taken.append(rest.removeFirst())
            while let option = rest.first, option.hasPrefix("-") {
                taken.append(rest.removeFirst())
                let isEnd = option.last.map { ".,;:)".contains($0) } ?? true
                guard !isEnd, let value = rest.first, !value.hasPrefix("-") else { continue }
                taken.append(rest.removeFirst())
            }
        }
        return taken.joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// The width in columns. Wide forms of East Asia (UAX #11) and emoji take two columns.
    /// Combining characters take none.
    fileprivate var displayWidth: Int {
        guard value >= 0x300 else { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}

/// The text of one cell or line, with its colour on a terminal.
package struct StyledText: Hashable, Sendable {
    /// The styles, with their parameters of Select Graphic Rendition (ECMA-48 §8.3.117).
    package enum Style: String, Sendable {
        case plain = "0"
        case strong = "1"
        case faint = "2"
        case good = "32"
        case warning = "33"
        case current = "1;36"
    }

    var text: String
    var style = Style.plain

    /// The text, padded to `width` columns. Escape sequences are added only with `colour`, and take
    /// no columns.
    func rendered(to width: Int = 0, atEnd: Bool = true, colour: Bool) -> String {
        let padded = text.padded(to: width, atEnd: atEnd)
        return colour && style != .plain && !text.isEmpty
            ? "\u{1B}[\(style.rawValue)m\(padded)\u{1B}[0m" : padded
    }
}
