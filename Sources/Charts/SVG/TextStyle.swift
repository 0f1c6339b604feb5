/// The class of a text: its size in user units, weight and ink.
enum TextStyle: String, CaseIterable, Hashable, Sendable {
    case title, subtitle, heading, label, strong, small, figure, loss
    /// Words inside the cells of a heat map: on a pale one, a dark one, and one of losses.
    case onPale, onDark, onLost

    var size: Double {
        switch self {
        case .title: 21
        case .subtitle, .heading: 14
        case .label, .strong, .figure, .loss: 12.5
        case .small, .onPale, .onDark, .onLost: 11
        }
    }

    var isBold: Bool { [.title, .heading, .strong, .loss].contains(self) }

    var isQuiet: Bool { self == .subtitle || self == .small }

    /// Those that only a heat map has, whose ink is a cell's, and those whose ink is the page's.
    static let ofCells: [TextStyle] = [.onPale, .onDark, .onLost]
    static let ofPages = allCases.filter { !ofCells.contains($0) }
}

/// How wide text will be in a font that is not known: an estimate that errs on the wide side.
extension TextStyle {
    /// The width of `text` in user units; that of DejaVu Sans, a wide face.
    func width(_ text: String) -> Double {
        text.reduce(0) { $0 + Self.advance($1) } * size * weight
    }

    private var weight: Double { isBold ? 1.12 : 1 }

    /// `text`, with its middle replaced by `…` if it is wider than `limit`: the ends tell
    /// addresses and names with a common beginning apart.
    func elided(_ text: String, to limit: Double) -> String {
        guard width(text) > limit else { return text }
        let room = limit / (size * weight) - Self.advance("…")
        let tail = Self.suffix(of: text, within: room * 0.4)
        let head = Self.suffix(of: String(text.reversed()), within: room * 0.6).reversed()
        return head + "…" + tail
    }

    /// `text` broken at spaces into lines no wider than `limit`, though not before a unit; a word too
    /// long is elided.
    func wrapped(_ text: String, to limit: Double) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in Self.words(of: text) {
            let longer = line.isEmpty ? word : "\(line) \(word)"
            if width(longer) <= limit {
                line = longer
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = elided(word, to: limit)
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The parts of a text between spaces, a number together with its unit and what it is compared
    /// with.
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
