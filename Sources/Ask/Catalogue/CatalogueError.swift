/// A fault of something that the user named or wrote, in one line that says what to do.
package struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault; the exit code is sysexits.h's.
    package enum Kind: Int32, Hashable, Sendable, CaseIterable {
        /// An argument cannot be used: a resolver, an address, a duration.
        case usage = 64
        /// A file that was named holds something unusable.
        case data = 65
        /// A file that was named does not exist or cannot be read.
        case missingInput = 66
        /// A configuration, campaign or lab profile cannot be used.
        case configuration = 78
    }

    package var kind: Kind
    /// One line, with no control characters.
    package var description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
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
