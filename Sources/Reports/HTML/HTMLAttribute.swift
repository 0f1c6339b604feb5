/// An attribute of an element; its value is escaped.
///
/// There is neither `style` nor an event handler: the page's policy would refuse them.
public struct HTMLAttribute: Hashable, Sendable {
    let markup: String

    private init(_ name: String, _ value: String) {
        markup = "\(name)=\"\(EscapedText.html(value))\""
    }

    public static func `class`(_ names: String) -> Self { Self("class", names) }

    public static func id(_ id: String) -> Self { Self("id", id) }

    /// `col` or `row`, of a heading cell.
    public static func scope(_ scope: String) -> Self { Self("scope", scope) }

    public static func lang(_ language: String) -> Self { Self("lang", language) }

    public static func name(_ name: String) -> Self { Self("name", name) }

    public static func content(_ content: String) -> Self { Self("content", content) }

    public static func charset(_ name: String) -> Self { Self("charset", name) }

    /// `http-equiv` of a `meta` element.
    public static func header(_ name: String) -> Self { Self("http-equiv", name) }

    public static func value(_ value: String) -> Self { Self("value", value) }

    public static func type(_ type: String) -> Self { Self("type", type) }

    public static func title(_ text: String) -> Self { Self("title", text) }

    /// A `for` attribute, of a label.
    public static func labels(_ id: String) -> Self { Self("for", id) }

    public static func role(_ role: String) -> Self { Self("role", role) }

    /// `aria-` and the name.
    public static func aria(_ name: AriaName, _ value: String) -> Self {
        Self("aria-" + name.rawValue, value)
    }

    public enum AriaName: String, Sendable {
        case label, labelledby, current, live, hidden
    }

    /// What a table sorts the cell by instead of its text.
    public static func sortKey(_ key: String) -> Self { Self("data-key", key) }

    /// What is set without a value.
    public static let checked = flag("checked")
    public static let selected = flag("selected")
    public static let open = flag("open")

    /// An `action` of a form, as ``href(_:)``.
    public static func action(_ address: String) -> Self { Self("action", local(address)) }

    /// A place on this site, such as `/resolver?name=x`, `?since=7d` or `#charts`; anything else leads
    /// to the top of the page.
    public static func href(_ address: String) -> Self { Self("href", local(address)) }

    /// Whether it can be reached by keys, where it scrolls.
    public static let focusable = Self("tabindex", "0")

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
