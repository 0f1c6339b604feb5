import Charts
import Samples

extension EscapedText {
    /// Text for the content and the attributes of HTML. It contains no markup. Invisible characters
    /// are replaced by their codes, as on a terminal.
    package static func html(_ text: String) -> String {
        replacing(terminal(text), XMLText.entity)
    }

    /// Text for a desktop that reads `<`, `>` and `&` as markup (Desktop Notifications
    /// Specification, "Markup").
    static func desktop(_ text: String) -> String {
        replacing(terminal(text)) { $0 == "\"" || $0 == "'" ? nil : XMLText.entity($0) }
    }
}
