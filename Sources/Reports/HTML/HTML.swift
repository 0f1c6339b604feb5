/// A piece of an HTML page, which can only be made of escaped text, of elements with escaped
/// attributes, and of ``TrustedMarkup``.
///
/// A string literal or an interpolated string is text: `HTML(.p, "\(label) answered")`.
public struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Ready to be put between tags.
    public let markup: String

    private init(markup: String) { self.markup = markup }

    /// Text, in which nothing is markup and nothing is hidden.
    public init(text: String) { self.init(markup: EscapedText.html(text)) }

    public init(stringLiteral text: String) { self.init(text: text) }

    /// What says of itself that it is markup.
    public init(_ trusted: TrustedMarkup) { self.init(markup: trusted.markup) }

    /// An element with its content; a void one such as `meta` has none.
    public init(_ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], _ content: HTML...) {
        self.init(tag, attributes, content)
    }

    public init(_ tag: HTMLTag, _ content: HTML...) { self.init(tag, [], content) }

    public init(_ tag: HTMLTag, _ attributes: [HTMLAttribute], _ content: [HTML]) {
        let opening = "<\(tag.rawValue)\(attributes.map { " " + $0.markup }.joined())>"
        let inside = content.map(\.markup).joined()
        self.init(
            markup: tag.isVoid
                ? opening : opening + tag.lineBreak + inside + "</\(tag.rawValue)>" + tag.lineBreak
        )
    }

    /// Pieces one after the other.
    public init(_ pieces: [HTML]) { self.init(markup: pieces.map(\.markup).joined()) }

    /// Lines of text, for `pre`.
    public init(lines: [String]) {
        self.init(markup: lines.map(EscapedText.html).joined(separator: "\n"))
    }

    public static let nothing = HTML([])
}

/// Markup that is put into a page as it is. Whoever makes one answers for it: nothing in it may
/// come from the network or the user unescaped.
public struct TrustedMarkup: Hashable, Sendable {
    public let markup: String

    public init(_ markup: String) { self.markup = markup }
}
