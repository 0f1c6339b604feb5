import Catalogue

/// Running text, such as the reason of a failure. It may contain words of the other side.
extension Redaction {
    /// The text without noted values, IP addresses other than those of loopback, host names, and paths of
    /// files.
    package func text(_ text: String) -> String { text.isEmpty ? text : scrubber.text(text) }

    /// The text with placeholders for noted values. Other values stay.
    package func replacingNoted(in text: String) -> String { scrubber.replacingNoted(in: text) }

    /// A function that replaces the values of many texts.
    package var scrubber: TextScrubber { TextScrubber(self, replacements) }
}

/// Replaces values in running text.
package struct TextScrubber: Sendable {
    private let redaction: Redaction
    private let replacements: [(value: [Character], placeholder: [Character])]

    fileprivate init(_ redaction: Redaction, _ known: [(value: String, placeholder: String)]) {
        self.redaction = redaction
        replacements = known.map { (Array($0.value), Array($0.placeholder)) }
    }

    package func text(_ text: String) -> String {
        // A folder may have the name of a place, and its whole path is replaced.
        Self.replacing(tokensOf: text, by: Self.location) { text in
            parts(of: Array(text)).map { part in
                switch part {
                case .placeholder(let word): String(word)
                case .other(let rest):
                    Self.replacing(tokensOf: String(rest), by: placeholder) { $0 }
                }
            }.joined()
        }
    }

    fileprivate func replacingNoted(in text: String) -> String {
        parts(of: Array(text)).map { part in
            switch part {
            case .placeholder(let word): String(word)
            case .other(let rest): String(rest)
            }
        }.joined()
    }

    private enum Part {
        case placeholder([Character])
        case other([Character])
    }

    /// Divides the text at the noted values, which must not begin or end inside of a word.
    private func parts(of text: [Character]) -> [Part] {
        var parts: [Part] = []
        var rest: [Character] = []
        let folded = text.map { Character($0.lowercased().first.map(String.init) ?? String($0)) }
        var index = 0
        while index < text.count {
            let found =
                isStart(index, folded)
                ? replacements.first { isWord($0.value, at: index, in: folded) } : nil
            guard let found else {
                rest.append(text[index])
                index += 1
                continue
            }
            if !rest.isEmpty { parts.append(.other(rest)) }
            rest = []
            parts.append(.placeholder(found.placeholder))
            index += found.value.count
        }
        return rest.isEmpty ? parts : parts + [.other(rest)]
    }

    private func isStart(_ index: Int, _ text: [Character]) -> Bool {
        index == 0 || !Self.isWordCharacter(text[index - 1])
            || !Self.isWordCharacter(text[index])
    }

    private func isWord(_ value: [Character], at index: Int, in text: [Character]) -> Bool {
        let end = index + value.count
        guard end <= text.count, text[index..<end].elementsEqual(value) else { return false }
        return end == text.count || !Self.isWordCharacter(text[end])
            || !Self.isWordCharacter(text[end - 1])
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    // MARK: Values that were not noted

    /// The text with the placeholders of its tokens, and with the `others` parts between them. Punctuation at
    /// the end of a token is kept.
    private static func replacing(
        tokensOf text: String,
        by placeholder: (String) -> String?,
        others: (String) -> String
    ) -> String {
        var (result, rest, token) = ("", "", "")
        func end() {
            let core = String(token.reversed().drop { ".:".contains($0) }.reversed())
            if !core.isEmpty, let shown = placeholder(core) {
                result += others(rest) + shown
                rest = String(token.dropFirst(core.count))
            } else {
                rest += token
            }
            token = ""
        }
        for character in text {
            if isTokenCharacter(character) {
                token.append(character)
            } else {
                end()
                rest.append(character)
            }
        }
        end()
        return result + others(rest)
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        isWordCharacter(character) || ".-:%/*@~[]\\".contains(character)
    }

    /// The placeholder of a URL or a path.
    private static func location(_ token: String) -> String? {
        if let scheme = token.firstRange(of: "://") {
            return token[..<scheme.upperBound] + "server"
        }
        let place = token.prefix { $0 != "/" }
        guard IPAddress(place) == nil else { return nil }
        let parts = token.split(separator: "/")
        let isPath = token.hasPrefix("/") && token.count > 1 || token.hasPrefix("~/")
        return isPath || parts.count > 1 && parts.contains(where: looksLikeHost) ? "path" : nil
    }

    /// The placeholder of an address or a host name.
    private func placeholder(_ token: String) -> String? {
        let place = String(token.prefix { $0 != "/" })
        if let address = IPAddress(token) ?? IPAddress(host: token) ?? IPAddress(host: place) {
            return address.isLoopback ? nil : "address"
        }
        guard Self.looksLikeHost(token), !redaction.isKept(name: token) else { return nil }
        return "name.invalid"
    }

    /// Whether the token has the form of a host or file name: a word of letters after its last dot.
    private static func looksLikeHost(_ token: some StringProtocol) -> Bool {
        let parts = token.split(separator: ":").first?.split(separator: ".") ?? []
        guard parts.count > 1, let last = parts.last else { return false }
        return last.count > 1 && last.allSatisfy { $0.isLetter || $0 == "-" || $0.isNumber }
            && last.contains(where: \.isLetter) && last.first?.isLetter == true
    }
}
