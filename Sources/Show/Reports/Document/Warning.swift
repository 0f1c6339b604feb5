import Samples

/// A fact that a reader should know before relying on the figures. It has three parts: the
/// observation, its meaning for the result, and the remedy.
package struct Warning: Hashable, Sendable {
    let kind: NoteKind
    /// One sentence, safe for a terminal.
    package let observation: String
    /// One sentence; `nil` without a remedy.
    package let remedy: String?
    /// Whether a star in the table refers to the warning.
    var isStarred = false
    /// Whether the warning concerns figures that short output omits.
    var isDetail = false

    init(_ kind: NoteKind, _ observation: String, _ remedy: String? = nil) {
        self.kind = kind
        self.observation = observation
        self.remedy = remedy
    }

    /// The name for programs, which never changes.
    package var code: String { kind.rawValue }

    /// The three parts, joined by spaces.
    package var text: String {
        [observation, kind.meaning, remedy].compactMap(\.self).joined(separator: " ")
    }
}

extension [Warning] {
    mutating func add(
        _ kind: NoteKind,
        if holds: Bool = true,
        _ observation: () -> String,
        _ remedy: () -> String? = { nil }
    ) {
        if holds { append(Warning(kind, observation(), remedy())) }
    }
}

extension Warning {
    static let shape = Shape<Warning>(
        "note",
        [
            .word("code", "Code of the note.") { $0.kind },
            .text("text", "The note for a reader: the three parts in a row.") { $0.text },
            .text("observed", "What was observed.") { $0.observation },
            .text("meaning", "What it means for the result.") { $0.kind.meaning },
            .text("remedy", when: "there is something to do", "What to do.") { $0.remedy },
        ]
    )
}
