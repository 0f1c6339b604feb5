/// Text of one cell or line, with what colour adds to it on a terminal.
struct StyledText: Hashable {
    /// Select Graphic Rendition (ECMA-48 §8.3.117).
    enum Style: String {
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
