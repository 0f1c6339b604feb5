/// How wide text will be in a font that is not known: an estimate that errs on the wide side.
enum TextMetrics {
    /// The width of `text` in user units at a font size; that of DejaVu Sans, a wide face.
    static func width(_ text: String, size: Double, bold: Bool = false) -> Double {
        let em = text.reduce(0) { $0 + advance($1) }
        return em * size * (bold ? 1.12 : 1)
    }

    /// `text`, with its middle replaced by `…` if it is wider than `limit`: the ends tell
    /// addresses and names with a common beginning apart.
    static func elided(_ text: String, to limit: Double, size: Double, bold: Bool = false) -> String
    {
        guard width(text, size: size, bold: bold) > limit else { return text }
        let scale = size * (bold ? 1.12 : 1)
        let room = limit / scale - advance("…")
        let tail = suffix(of: text, within: room * 0.4)
        let head = String(suffix(of: String(text.reversed()), within: room * 0.6).reversed())
        return head + "…" + tail
    }

    /// `text` broken at spaces into lines no wider than `limit`, though not before a unit; a word too
    /// long is elided.
    static func wrapped(_ text: String, to limit: Double, size: Double, bold: Bool = false)
        -> [String]
    {
        var lines: [String] = []
        var line = ""
        for word in words(of: text) {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if width(longer, size: size, bold: bold) <= limit {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = elided(word, to: limit, size: size, bold: bold)
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// What stands between spaces, a number together with its unit and what it is compared with.
    private static func words(of text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: []) { words, word in
            let unit = word.prefix { $0.isLetter || $0 == "%" }
            let last = words.last?.last
            let isOfNumber = ["ms", "s", "min", "h", "d", "%"].contains(unit)
            if last == "<" || last == ">" || (isOfNumber && last?.isNumber == true) {
                words[words.count - 1] += " " + word
            } else {
                words.append(String(word))
            }
        }
    }

    private static func suffix(of text: String, within room: Double) -> String {
        var left = room
        let kept = text.reversed().prefix { character in
            left -= advance(character)
            return left >= 0
        }
        return String(kept.reversed())
    }

    /// The advance of one character, in em.
    private static func advance(_ character: Character) -> Double {
        switch character {
        case "i", "j", "l", "'", ".", ",", ":", ";", "|", "!", " ": 0.33
        case "f", "r", "t", "I", "-", "(", ")", "[", "]", "/": 0.42
        case "m", "w", "M", "W", "@", "%", "…", "—", "–": 1
        case "a"..."z", "0"..."9": 0.64
        case "A"..."Z": 0.76
        default: character.isASCII ? 0.84 : 1.05
        }
    }
}
