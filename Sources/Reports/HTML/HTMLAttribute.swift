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

    /// `col` or `row`, of a heading cell.
    package static func scope(_ scope: String) -> Self { Self("scope", scope) }

    package static func lang(_ language: String) -> Self { Self("lang", language) }

    package static func name(_ name: String) -> Self { Self("name", name) }

    package static func content(_ content: String) -> Self { Self("content", content) }

    package static func charset(_ name: String) -> Self { Self("charset", name) }

    /// `http-equiv` of a `meta` element.
    package static func header(_ name: String) -> Self { Self("http-equiv", name) }

    package static func value(_ value: String) -> Self { Self("value", value) }

    package static func type(_ type: String) -> Self { Self("type", type) }

    package static func title(_ text: String) -> Self { Self("title", text) }

    /// A `for` attribute, of a label.
    package static func labels(_ id: String) -> Self { Self("for", id) }

    package static func role(_ role: String) -> Self { Self("role", role) }

    /// `aria-` and the name.
    package static func aria(_ name: AriaName, _ value: String) -> Self {
        Self("aria-" + name.rawValue, value)
    }

    package enum AriaName: String, Sendable {
        case label, labelledby, current, live, hidden
    }

    /// What a table sorts the cell by instead of its text.
    package static func sortKey(_ key: String) -> Self { Self("data-key", key) }

    /// What is set without a value.
    package static let checked = flag("checked")
    package static let selected = flag("selected")
    package static let open = flag("open")

    /// An `action` of a form, as ``href(_:)``.
    package static func action(_ address: String) -> Self { Self("action", local(address)) }

    /// A place on this site, such as `/resolver?name=x`, `?since=7d` or `#charts`; anything else leads
    /// to the top of the page.
    package static func href(_ address: String) -> Self { Self("href", local(address)) }

    /// Whether it can be reached by keys, where it scrolls.
    package static let focusable = Self("tabindex", "0")

    private init(flag: String) { markup = flag }

    private static func flag(_ name: String) -> Self { Self(flag: name) }

    /// `//host` is another site, and `\` counts as `/`.
    private static func local(_ address: String) -> String {
        let isLocal =
            ["/", "?", "#"].contains(address.prefix(1))
            && !["//", "/\\"].contains(address.prefix(2))
        return isLocal ? address : "#"
    }
}
