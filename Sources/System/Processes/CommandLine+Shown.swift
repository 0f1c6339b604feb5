extension CommandLine {
    /// The command as it was typed, with the program's plain name.
    package static var shown: String { shown(Array(arguments.dropFirst())) }

    package static func shown(_ words: [String]) -> String {
        (["dnstempo"] + words.map(\.shellQuoted)).joined(separator: " ")
    }
}

extension String {
    /// As a shell reads it back as one word.
    package var shellQuoted: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic
                    || "0123456789@%+=:,./_-".unicodeScalars.contains(scalar))
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
