import Samples

/// A piece of an HTML page. It consists only of escaped text, elements with escaped attributes, and
/// ``TrustedMarkup``.
///
/// A string literal or an interpolated string is text: `HTML(.p, "\(label) answered")`.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Markup that can be put between tags.
    package let markup: String

    private init(markup: String) { self.markup = markup }

    /// Escaped text: it contains no markup, and no invisible characters. Lines do not break before
    /// a unit.
    package init(text: String) {
        self.init(markup: EscapedText.html(text).unitsJoined(by: "&nbsp;"))
    }

    package init(stringLiteral text: String) { self.init(text: text) }

    package init(_ trusted: TrustedMarkup) { self.init(markup: trusted.markup) }

    /// An element with its content. A void element such as `meta` has no content.
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

/// Markup that enters a page unchanged. The caller guarantees that it contains no unescaped text
/// from the network or the user.
package struct TrustedMarkup: Hashable, Sendable {
    package let markup: String
    package init(_ markup: String) { self.markup = markup }
    /// A file that is part of the program.
    package init(resource: [UInt8]) { markup = String(decoding: resource, as: UTF8.self) }
}

/// An attribute of an element, with an escaped value.
///
/// `style` and event handlers are missing, because the page's policy would block them.
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
    /// The text in an empty field of a form.
    package static func placeholder(_ text: String) -> Self { Self("placeholder", text) }
    package static func type(_ type: String) -> Self { Self("type", type) }
    package static func role(_ role: String) -> Self { Self("role", role) }
    /// `col` or `row`, for a heading cell.
    package static func scope(_ scope: String) -> Self { Self("scope", scope) }
    /// The `http-equiv` attribute of a `meta` element.
    package static func header(_ name: String) -> Self { Self("http-equiv", name) }
    /// The `for` attribute of a label.
    package static func labels(_ id: String) -> Self { Self("for", id) }

    package static func aria(_ name: AriaName, _ value: String) -> Self {
        Self("aria-" + name.rawValue, value)
    }

    package enum AriaName: String, Sendable {
        case label, labelledby, current, live, hidden
    }

    /// The values that a script shows, as JSON.
    package static func series(_ json: String) -> Self { Self("data-series", json) }
    /// The moment that a page describes, for its script.
    package static func moment(_ text: String) -> Self { Self("data-moment", text) }
    /// The version of a page's content, for its script. It increases with new content.
    package static func edition(_ number: Int) -> Self { Self("data-edition", "\(number)") }

    /// The key by which a table sorts the cell, instead of its text.
    package static func sortKey(_ key: String) -> Self { Self("data-key", key) }

    /// The name of the cell where a narrow page shows no header.
    package static func cardLabel(_ text: String) -> Self { Self("data-label", text) }

    /// Attributes without a value.
    package static let selected = Self(flag: "selected")
    package static let open = Self(flag: "open")

    /// The `action` of a form, with the same rules as ``href(_:)``.
    package static func action(_ address: String) -> Self { Self("action", local(address)) }

    /// A place on this site, such as `/resolver?name=x`, `?since=7d` or `#charts`. Any other
    /// address becomes the top of the page.
    package static func href(_ address: String) -> Self { Self("href", local(address)) }

    /// Makes a scrolling element reachable with the keyboard.
    package static let focusable = Self("tabindex", "0")

    private init(flag: String) { markup = flag }

    /// Accepts local addresses only. `//host` is another site, and browsers read `\` as `/`.
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

    /// Whether the element has neither content nor an end tag (HTML §13.1.2).
    var isVoid: Bool { [.br, .input, .link, .meta].contains(self) }

    /// A line break before elements that start a line of the page's source, for readability.
    var lineBreak: String {
        switch self {
        case .article, .body, .details, .div, .dl, .figure, .footer, .form, .head, .header, .main,
            .nav, .ol, .section, .table, .tbody, .thead, .tr, .ul:
            "\n"
        default: ""
        }
    }
}
