extension CommandLine {
    /// The command as the user typed it, with the program's name without its folder.
    package static var shown: String { shown(Array(arguments.dropFirst())) }

    package static func shown(_ words: [String]) -> String {
        (["dnstempo"] + words.map(\.shellQuoted)).joined(separator: " ")
    }
}

extension String {
    /// The text in a form that a shell reads as one word.
    package var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic
                    || "0123456789@%+=:,./_-".unicodeScalars.contains(scalar))
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
