package import HTTP
import Samples

extension HTTPConnection.Answer {
    /// The first line of the body, or the reason, escaped for display.
    package var firstLine: String { text.firstShownLine }

    /// A text such as `answered 400: out of order sample`.
    package var told: String {
        let line = firstLine
        return "answered \(status)" + (line.isEmpty ? "" : ": \(line)")
    }
}

extension String {
    /// The first line of a text from a server, limited to 200 characters, and escaped for display.
    var firstShownLine: String {
        let line = split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return EscapedText.terminal(line.cut(toCharacters: 200))
    }
}
