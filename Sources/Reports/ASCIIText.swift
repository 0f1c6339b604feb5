/// Text for terminals that show ASCII alone.
package enum ASCIIText {
    /// Of those characters that the tables are made of, what looks alike.
    private static let alike: [Character: Character] = [
        "━": "=", "─": "-", "┣": "|", "┫": "|", "●": "o", "▶": ">", "–": "-", "—": "-", "−": "-",
        "…": "~", "≥": ">", "≤": "<", "×": "x", "µ": "u", "’": "'",
    ]

    /// `text` with as many columns as before; what looks like nothing else is a question mark.
    package static func text(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = ""
        for character in text {
            if character.isASCII {
                result.append(character)
            } else if let alike = alike[character] {
                result.append(alike)
            } else {
                result += String(repeating: "?", count: String(character).displayWidth)
            }
        }
        return result
    }
}
