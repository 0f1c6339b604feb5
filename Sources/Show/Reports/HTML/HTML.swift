import Samples

/// A piece of an HTML page, which can only be made of escaped text, of elements with escaped
/// attributes, and of ``TrustedMarkup``.
///
/// A string literal or an interpolated string is text: `HTML(.p, "\(label) answered")`.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Ready to be put between tags.
    package let markup: String

    private init(markup: String) { self.markup = markup }

    /// Text, in which nothing is markup and nothing is hidden. No line ends before a unit.
    package init(text: String) {
        self.init(markup: EscapedText.html(text).unitsJoined(by: "&nbsp;"))
    }

    package init(stringLiteral text: String) { self.init(text: text) }

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
    /// A file of the program's own.
    package init(resource: [UInt8]) { markup = String(decoding: resource, as: UTF8.self) }
}

/// An attribute of an element; its value is escaped.
///
/// There is neither `style` nor an event handler: the page's policy would refuse them.
package struct HTMLAttribute: Hashable, Sendable {
    let markup: String

    private init(_ name: String, _ value: String) {
        markup = "\(name)=\"\(EscapedText.html(value))\""
    }

    package static func `class`(_ names: String) -> Self { Self("class", names) }
    package static func id(_ id: String) -> Self { Self("id", id) }
    package static func name(_ name: String) -> Self { Self("name", name) }
    package static func content(_ content: String) -> Self { Self("content", content) }
    package static func charset(_ name: String) -> Self { Self("charset", name) }
    package static func value(_ value: String) -> Self { Self("value", value) }
    /// Text in an empty field of a form.
    package static func placeholder(_ text: String) -> Self { Self("placeholder", text) }
    package static func type(_ type: String) -> Self { Self("type", type) }
    package static func role(_ role: String) -> Self { Self("role", role) }
    /// `col` or `row`, of a heading cell.
    package static func scope(_ scope: String) -> Self { Self("scope", scope) }
    /// `http-equiv` of a `meta` element.
    package static func header(_ name: String) -> Self { Self("http-equiv", name) }
    /// A `for` attribute, of a label.
    package static func labels(_ id: String) -> Self { Self("for", id) }

    package static func aria(_ name: AriaName, _ value: String) -> Self {
        Self("aria-" + name.rawValue, value)
    }

    package enum AriaName: String, Sendable {
        case label, labelledby, current, live, hidden
    }

    /// Values that a script shows, as JSON.
    package static func series(_ json: String) -> Self { Self("data-series", json) }
    /// The moment that a page tells of, for its script.
    package static func moment(_ text: String) -> Self { Self("data-moment", text) }
    /// The edition of what a page tells, for its script: grows with what there is to tell.
    package static func edition(_ number: Int) -> Self { Self("data-edition", "\(number)") }

    /// Key that a table sorts the cell by instead of its text.
    package static func sortKey(_ key: String) -> Self { Self("data-key", key) }

    /// Name of the cell where a narrow page has no header for it.
    package static func cardLabel(_ text: String) -> Self { Self("data-label", text) }

    /// Attributes without a value.
    package static let selected = Self(flag: "selected")
    package static let open = Self(flag: "open")

    /// An `action` of a form, as ``href(_:)``.
    package static func action(_ address: String) -> Self { Self("action", local(address)) }

    /// A place on this site, such as `/resolver?name=x`, `?since=7d` or `#charts`; anything else leads
    /// to the top of the page.
    package static func href(_ address: String) -> Self { Self("href", local(address)) }

    /// Whether it can be reached by keys, where it scrolls.
    package static let focusable = Self("tabindex", "0")

    private init(flag: String) { markup = flag }

    /// `//host` is another site, and `\` counts as `/`.
    private static func local(_ address: String) -> String {
        let isLocal =
            ["/", "?", "#"].contains(address.prefix(1))
            && !["//", "/\\"].contains(address.prefix(2))
        return isLocal ? address : "#"
    }
}

package enum HTMLTag: String, Hashable, Sendable, CaseIterable {
    case a, article, body, br, button, code, dd, details, div, dl, dt, figcaption, figure, footer,
        form, h1, h2, h3, head, header, input, label, li, link, main, meta, nav, ol, option, p, pre,
        section, select, small, span, strong, summary, table, tbody, td, th, thead, title, tr, ul

    /// Whether it has neither content nor an end tag (HTML §13.1.2).
    var isVoid: Bool { [.br, .input, .link, .meta].contains(self) }

    /// Those that begin a line of the page's source, so that it can be read.
    var lineBreak: String {
        switch self {
        case .article, .body, .details, .div, .dl, .figure, .footer, .form, .head, .header, .main,
            .nav, .ol, .section, .table, .tbody, .thead, .tr, .ul:
            "\n"
        default: ""
        }
    }
}
