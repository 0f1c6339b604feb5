package import Failures

/// A fault of something that the user named or wrote, in one line that says what to do.
package struct CatalogueError: ExitStatusError, Hashable, Sendable {
    package var status: ExitStatus
    /// One line, with no control characters.
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
    /// In single quotes, for an error line; a long text is cut.
    var quoted: String {
        let limit = 100
        let text = count > limit ? prefix(limit) + "…" : self[...]
        return "'\(String(text).escapingControls)'"
    }

    /// With control characters written as `\u{…}`, so that a text stays one harmless line.
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
