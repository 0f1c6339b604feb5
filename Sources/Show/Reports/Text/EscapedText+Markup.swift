import Charts
import Samples

extension EscapedText {
    /// For the text and the attributes of HTML: nothing in it is markup, and what could not be seen
    /// becomes its code as on a terminal.
    package static func html(_ text: String) -> String {
        replacing(terminal(text), XMLText.entity)
    }

    /// For a desktop that takes `<`, `>` and `&` for markup (Desktop Notifications Specification,
    /// "Markup").
    static func desktop(_ text: String) -> String {
        replacing(terminal(text)) { $0 == "\"" || $0 == "'" ? nil : XMLText.entity($0) }
    }
}
