/// Words of a unit file, always in double quotes (systemd.syntax(7), "Quoting").
enum SystemdWord {
    /// A word of `ExecStart=`, where `%` begins a specifier and `$` a variable.
    static func argument(_ word: String) -> String { quoted(word, doubling: "%$") }

    /// A word of `Environment=`, where `$` means itself.
    static func assignment(_ word: String) -> String { quoted(word, doubling: "%") }

    private static func quoted(_ word: String, doubling doubled: String) -> String {
        var text = "\""
        for character in word.unicodeScalars {
            if doubled.unicodeScalars.contains(character) {
                text.unicodeScalars.append(character)
            } else if character == "\"" || character == "\\" {
                text += "\\"
            }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// The words of a line that ``argument(_:)`` and ``assignment(_:)`` wrote, a doubled `%` or
    /// `$` as one; `nil` for other syntax.
    static func arguments(_ line: Substring) -> [String]? {
        var words: [String] = []
        var characters = line.unicodeScalars
        while let first = characters.popFirst() {
            guard first == "\"" else { return nil }
            var word = String.UnicodeScalarView()
            while let character = characters.popFirst(), character != "\"" {
                switch character {
                case "\\":
                    guard let next = characters.popFirst() else { return nil }
                    word.append(next)
                case "%", "$":
                    if characters.first == character { characters.removeFirst() }
                    word.append(character)
                default: word.append(character)
                }
            }
            words.append(String(word))
            if let next = characters.popFirst(), next != " " { return nil }
        }
        return words
    }
}
