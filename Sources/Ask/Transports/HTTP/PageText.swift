/// The visible text of a web page or of another text, for a person who must recognise it.
enum PageText {
    /// The bytes of a page that are read, and the characters of its text that are kept.
    private static let (mostBytes, mostCharacters) = (4_096, 60)

    /// The title of a page, or else the first words of its text, in one line; `nil` without any, and for
    /// content that is not text.
    static func firstWords(of content: [UInt8], type: String?) -> String? {
        let type = type?.lowercased() ?? ""
        guard
            ["text/", "application/json", "application/problem+json"].contains(
                where: type.hasPrefix
            )
        else { return nil }
        let text = String(decoding: content.prefix(mostBytes), as: UTF8.self)
        let isPage = type.hasPrefix("text/html")
        let visible = isPage ? title(of: text) ?? withoutTags(text) : text
        let words = visible.unicodeScalars.split(whereSeparator: isGap)
            .map { String(String.UnicodeScalarView($0)) }
            .joined(separator: " ")
        guard !words.isEmpty else { return nil }
        let cut = String(String.UnicodeScalarView(words.unicodeScalars.prefix(mostCharacters)))
        return cut == words ? words : cut + "…"
    }

    /// Whether the character is not visible, or stands for bytes that are not text.
    private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            || scalar == "\u{fffd}"
    }

    private static func title(of page: String) -> String? {
        let bytes = Array(page.utf8)
        let lower = bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        guard let start = lower.firstRange(of: "<title".utf8),
            let open = lower[start.upperBound...].firstIndex(of: UInt8(ascii: ">")),
            let end = lower[open...].firstRange(of: "</title".utf8)
        else { return nil }
        let title = String(decoding: bytes[(open + 1)..<end.lowerBound], as: UTF8.self)
        return title.allSatisfy(\.isWhitespace) ? nil : title
    }

    private static func withoutTags(_ page: String) -> String {
        var text = ""
        var depth = 0
        for character in page.unicodeScalars {
            switch character {
            case "<": depth = 1
            case ">" where depth > 0:
                depth = 0
                text.unicodeScalars.append(" ")
            default: if depth == 0 { text.unicodeScalars.append(character) }
            }
        }
        return text
    }
}
