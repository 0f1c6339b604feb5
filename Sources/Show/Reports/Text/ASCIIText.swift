/// ASCII spellings of the other characters that this program prints.
package enum ASCIIText {
    /// Characters of one column that resemble the characters of tables and charts.
    private static let alike: [Character: Character] = [
        "━": "=", "─": "-", "┣": "|", "┫": "|", "●": "o", "▶": ">", "–": "-", "—": "-", "−": "-",
        "…": "~", "≥": ">", "≤": "<", "×": "x", "µ": "u", "’": "'", "·": ",", "│": "|", "┆": "'",
        "▁": "_", "▂": ".", "▃": "-", "▄": "+", "▅": "*", "▆": "x", "▇": "%", "█": "#",
        "░": ".", "▒": ":", "▓": "*", "▲": "^", "◆": "*", "■": "#", "★": "+", "▼": "v", "○": "0",
        "□": "@", "◇": "%", "☆": "&", "▽": "y", "✚": "t", "✖": "x", "→": ">", "±": "~", "≈": "~",
        "\u{A0}": " ", "\u{2009}": " ", "\u{202F}": " ",
    ]

    /// The usual spelling of characters that need more than one column in ASCII.
    private static let spelled: [Character: String] = [
        "…": "...", "≥": ">=", "≤": "<=", "→": "->", "±": "+-",
    ]

    /// Returns `text` with the same number of columns. A question mark replaces a character that
    /// resembles no ASCII character.
    package static func text(_ text: String) -> String {
        if text.isASCII { return text }
        return text.map { character in
            let plain = character.isASCII ? character : alike[character]
            return plain.map { String($0) }
                ?? String(repeating: "?", count: String(character).displayWidth)
        }.joined()
    }

    /// Returns `text` with the usual spelling of each character in ASCII, such as `<=` and `...`.
    ///
    /// Columns of a table stay aligned if there is space between them. A line that would become
    /// wider than `width` columns keeps its width. With `keepsData`, characters that this program
    /// does not print itself stay unchanged, such as the characters of a label. Otherwise a
    /// question mark replaces each of their columns.
    package static func spelled(
        _ text: String,
        width: Int = .max,
        keepsData: Bool = false
    ) -> String {
        if text.isASCII { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line)
            let long = spelled(line: line, keepsData: keepsData)
            if long.displayWidth <= max(width, line.displayWidth) { return long }
            return keepsData ? String(line.map { alike[$0] ?? $0 }) : Self.text(line)
        }.joined(separator: "\n")
    }

    private static func spelled(line: String, keepsData: Bool) -> String {
        var result = ""
        /// The number of columns by which the result is currently too long.
        var surplus = 0
        var rest = line[...]
        while let character = rest.popFirst() {
            if let word = spelled[character] {
                surplus += word.count - 1
                // An ellipsis ends a cell, and a sign begins a cell.
                while surplus > 0, character != "…", result.hasSuffix("  ") {
                    result.removeLast()
                    surplus -= 1
                }
                result += word
            } else if character == " ", surplus > 0, rest.first == " " {
                surplus -= 1
            } else if character.isASCII || keepsData && alike[character] == nil {
                result.append(character)
            } else {
                result += text(String(character))
            }
        }
        return result
    }
}

extension String {
    fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
