extension String {
    /// Columns that it takes in a terminal, where its escape sequences take none.
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

    /// At most `width` columns of it, the last one an ellipsis where it was longer.
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

    /// Without the spaces at its end.
    package var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// At most `width` columns, an ellipsis in the middle where it was longer: the ends of
    /// addresses are what tells them apart.
    func truncatedInside(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 3 else { return truncated(to: width) }
        let end = String(suffix((width - 1) / 2))
        let start = truncated(to: width - end.displayWidth)
        return (start + end).displayWidth > width ? truncated(to: width) : start + end
    }

    /// Filled up with spaces to `width` columns.
    package func padded(to width: Int, atEnd: Bool = true) -> String {
        let spaces = String(repeating: " ", count: max(0, width - displayWidth))
        return atEnd ? self + spaces : spaces + self
    }

    /// Lines of at most `width` columns, broken at spaces, but not before a unit and not within a
    /// command; a longer word or command stands alone.
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

    /// Words between spaces. A number is one word with its unit and with `>` or `<` before it, and so
    /// is a command with its options.
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

    /// The same with `space` between each number and its unit, and between `<` or `>` (`&lt;` or
    /// `&gt;`) and a number.
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

    /// A command, whose words are taken from `rest`. One after a colon goes on to the end of the
    /// text, unless a sentence ends before; another has a subcommand and options with a value each.
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
    /// Two columns for the wide forms of East Asia (UAX #11) and emoji, none for what is put onto
    /// its neighbour.
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

/// Text of one cell or line, with what colour adds to it on a terminal.
package struct StyledText: Hashable, Sendable {
    /// Select Graphic Rendition (ECMA-48 §8.3.117).
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

    /// Filled up to `width` columns; the escape sequences, only where `colour`, take none.
    func rendered(to width: Int = 0, atEnd: Bool = true, colour: Bool) -> String {
        let padded = text.padded(to: width, atEnd: atEnd)
        return colour && style != .plain && !text.isEmpty
            ? "\u{1B}[\(style.rawValue)m\(padded)\u{1B}[0m" : padded
    }
}
