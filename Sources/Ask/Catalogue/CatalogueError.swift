package import Failures

/// An error about input that the user named or wrote. Its text is one line with the remedy.
package struct CatalogueError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    /// One line, without control characters.
    package var description: String

    package init(_ status: ExitStatus, _ description: String) {
        self.status = status
        self.description = description.escapingControls
    }

    static func usage(_ description: String) -> CatalogueError {
        CatalogueError(.usage, description)
    }
}

extension String {
    /// The text in single quotes, for an error line. A text over 100 characters is truncated.
    var quoted: String {
        let limit = 100
        let text = count > limit ? prefix(limit) + "…" : self[...]
        return "'\(String(text).escapingControls)'"
    }

    /// The text with control characters written as `\u{…}`, so that it stays one harmless line.
    var escapingControls: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return self
        }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.properties.generalCategory == .control {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
