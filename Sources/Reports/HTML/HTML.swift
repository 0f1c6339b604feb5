/// A piece of an HTML page, which can only be made of escaped text, of elements with escaped
/// attributes, and of ``TrustedMarkup``.
///
/// A string literal or an interpolated string is text: `HTML(.p, "\(label) answered")`.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Ready to be put between tags.
    package let markup: String

    private init(markup: String) { self.markup = markup }

    /// Text, in which nothing is markup and nothing is hidden.
    package init(text: String) { self.init(markup: EscapedText.html(text)) }

    package init(stringLiteral text: String) { self.init(text: text) }

    /// What says of itself that it is markup.
    package init(_ trusted: TrustedMarkup) { self.init(markup: trusted.markup) }

    /// An element with its content; a void one such as `meta` has none.
    package init(_ tag: HTMLTag, _ attributes: [HTMLAttribute] = [], _ content: HTML...) {
        self.init(tag, attributes, content)
    }

    package init(_ tag: HTMLTag, _ content: HTML...) { self.init(tag, [], content) }

    package init(_ tag: HTMLTag, _ attributes: [HTMLAttribute], _ content: [HTML]) {
        let opening = "<\(tag.rawValue)\(attributes.map { " " + $0.markup }.joined())>"
        let inside = content.map(\.markup).joined()
        self.init(
            markup: tag.isVoid
                ? opening : opening + tag.lineBreak + inside + "</\(tag.rawValue)>" + tag.lineBreak
        )
    }

    /// Pieces one after the other.
    package init(_ pieces: [HTML]) { self.init(markup: pieces.map(\.markup).joined()) }

    /// Lines of text, for `pre`.
    package init(lines: [String]) {
        self.init(markup: lines.map(EscapedText.html).joined(separator: "\n"))
    }

    package static let nothing = HTML([])
}

/// Markup that is put into a page as it is. Whoever makes one answers for it: nothing in it may
/// come from the network or the user unescaped.
package struct TrustedMarkup: Hashable, Sendable {
    package let markup: String

    package init(_ markup: String) { self.markup = markup }
}
