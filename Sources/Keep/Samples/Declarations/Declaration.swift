/// The type of a value in JSON and CSV, as the reference pages and the JSON Schemas state it.
package indirect enum ValueForm: Hashable, Sendable {
    case text
    /// One of these words. Later versions may add words.
    case word([String])
    /// This text, always.
    case fixed(String)
    /// A time in UTC, such as `2026-11-21T03:35:12.123456Z` (RFC 3339).
    case moment
    case flag
    /// A whole number, 0 or greater.
    case count
    /// A whole number.
    case integer
    case number
    case list(ValueForm)
    /// The value, or `null`.
    case optional(ValueForm)
    /// Either of these, by another key of the object.
    case either([ValueForm])
    /// The lower and the upper end. An open end is `null`.
    case range(ValueForm)
    case object(ObjectForm)
    /// An object whose keys are data, such as response codes.
    case map(ValueForm)
    /// An object without declared keys, whose content another standard defines.
    case open

    /// The words of a closed set.
    package static func word<Word>(_: Word.Type) -> ValueForm
    where Word: CaseIterable & RawRepresentable<String> {
        .word(Word.allCases.map(\.rawValue))
    }

    package static func word<Word: NamedCase>(_: Word.Type) -> ValueForm { .word(Word.words) }
}

/// An object of JSON, or the row of a table, by its keys.
package struct ObjectForm: Hashable, Sendable {
    /// The name of the object in the reference, unique within a format.
    package var name: String
    package var members: [Declaration]

    package init(_ name: String, _ members: [Declaration]) {
        (self.name, self.members) = (name, members)
    }
}

/// The unit of a number.
package enum Unit: String, Hashable, Sendable {
    case milliseconds = "ms"
    case seconds = "s"
    case nanoseconds = "ns"
    /// A share from 0 to 1.
    case share = "0–1"
    case bytes
    case perSecond = "per second"
    /// The natural logarithm of an e-value.
    case logEvidence = "ln E"
}

/// The definition of a key of JSON, or of a column of CSV or SQL.
package struct Declaration: Hashable, Sendable {
    /// The formats that contain a value.
    package enum Media: Hashable, Sendable { case everywhere, csvOnly, jsonOnly }

    package var key: String
    package var form: ValueForm
    package var unit: Unit?
    package var media: Media
    /// The condition under which the key is present, as the rest of a sentence after "when"; `nil` if it
    /// always is.
    package var presence: String?
    /// The condition under which the value is `null` or the cell is empty, as the rest of a sentence after
    /// "if"; `nil` if it never is.
    package var null: String?
    /// One sentence.
    package var meaning: String

    package init(
        _ key: String,
        _ form: ValueForm,
        unit: Unit? = nil,
        in media: Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String
    ) {
        self.key = key
        self.form = form
        self.unit = unit
        self.media = media
        self.presence = presence
        self.null = null
        self.meaning = meaning
    }
}
