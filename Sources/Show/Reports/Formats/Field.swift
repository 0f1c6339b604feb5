import Catalogue
package import Samples

/// A value of a row for programs, with its definition: a key of JSON and a column of CSV (RFC
/// 4180).
package struct Field<Row>: Sendable {
    package let declaration: Declaration
    /// Returns `nil` if a row lacks the value. The JSON object then lacks the key. CSV lacks the
    /// column if all rows lack the value.
    let value: @Sendable (Row) -> JSONValue?

    var key: String { declaration.key }
    var media: Declaration.Media { declaration.media }

    init(_ declaration: Declaration, _ value: @escaping @Sendable (Row) -> JSONValue?) {
        (self.declaration, self.value) = (declaration, value)
    }

    /// `presence` and `null` complete sentences, as in ``Declaration``.
    // Many parameters: one for each part of a definition.
    package init(
        _ key: String,
        _ form: ValueForm,
        unit: Unit? = nil,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> JSONValue?
    ) {
        let declaration = Declaration(
            key,
            form,
            unit: unit,
            in: media,
            when: presence,
            null: null,
            meaning
        )
        self.init(declaration, value)
    }
}

/// Fields by the type of their values. If the value is `nil`, the key is absent if `presence` is
/// given, otherwise its value is `null`.
extension Field {
    private static func optional<Value>(
        _ declaration: Declaration,
        _ value: @escaping @Sendable (Row) -> Value?,
        _ json: @escaping @Sendable (Value) -> JSONValue
    ) -> Field {
        Field(declaration) { row in
            value(row).map(json) ?? (declaration.presence == nil ? .null : nil)
        }
    }

    package static func text(
        _ key: String,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Field {
        optional(
            Declaration(key, .text, in: media, when: presence, null: null, meaning),
            value,
            JSONValue.string
        )
    }

    package static func texts(
        _ key: String,
        when presence: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> [String]?
    ) -> Field {
        optional(Declaration(key, .list(.text), when: presence, meaning), value) {
            .array($0.map(JSONValue.string))
        }
    }

    static func word<Word>(
        _ key: String,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Word?
    ) -> Field where Word: CaseIterable & RawRepresentable<String> & SendableMetatype {
        let form = ValueForm.word(Word.self)
        return optional(Declaration(key, form, when: presence, null: null, meaning), value) {
            .string($0.rawValue)
        }
    }

    static func word<Word: NamedCase & SendableMetatype>(
        _ key: String,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Word
    ) -> Field {
        Field(key, .word(Word.self), meaning) { .string(value($0).description) }
    }

    package static func count(
        _ key: String,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Int?
    ) -> Field {
        optional(
            Declaration(key, .count, in: media, when: presence, null: null, meaning),
            value,
            JSONValue.integer
        )
    }

    /// A time in milliseconds.
    static func time(
        _ key: String,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> Field {
        optional(
            Declaration(
                key,
                .number,
                unit: .milliseconds,
                in: media,
                when: presence,
                null: null,
                meaning
            ),
            value
        ) {
            .milliseconds($0)
        }
    }

    /// A share from 0 to 1.
    static func share(
        _ key: String,
        in media: Declaration.Media = .everywhere,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> Field {
        optional(Declaration(key, .number, unit: .share, in: media, null: null, meaning), value) {
            .rate($0)
        }
    }

    /// A number. `digits` gives the minimum and the maximum number of decimals.
    static func number(
        _ key: String,
        _ unit: Unit? = nil,
        digits: ClosedRange<Int>,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double?
    ) -> Field {
        optional(Declaration(key, .number, unit: unit, null: null, meaning), value) {
            .number($0, least: digits.lowerBound, most: digits.upperBound)
        }
    }

    /// The natural logarithm of an e-value, with all digits.
    static func logEvidence(
        _ key: String,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Double
    ) -> Field {
        Field(key, .number, unit: .logEvidence, meaning) { .exact(value($0)) }
    }

    package static func moment(
        _ key: String,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Timestamp?
    ) -> Field {
        optional(Declaration(key, .moment, null: null, meaning), value) { .moment($0) }
    }

    package static func flag(
        _ key: String,
        null: String? = nil,
        _ meaning: String,
        _ value: @escaping @Sendable (Row) -> Bool?
    ) -> Field {
        optional(Declaration(key, .flag, null: null, meaning), value, JSONValue.bool)
    }

    /// The two ends of an interval: one array in JSON, `…_low…` and `…_high…` in CSV. Each key ends
    /// with `suffix`.
    static func interval(
        _ key: String,
        suffix: String = "",
        unit: Unit? = nil,
        null: String? = nil,
        _ meaning: String,
        _ ends: @escaping @Sendable (Row) -> (low: JSONValue, high: JSONValue)?
    ) -> [Field] {
        func end(_ name: String) -> (String, String) {
            ("\(key)_\(name)\(suffix)", "\(name == "low" ? "Lower" : "Upper") end of: \(meaning)")
        }
        let empty = null ?? "the end is open"
        let (low, high) = (end("low"), end("high"))
        return [
            Field(key + suffix, .range(.number), unit: unit, in: .jsonOnly, null: null, meaning) {
                row in
                ends(row).map { .array([$0.low, $0.high]) } ?? .null
            },
            Field(low.0, .number, unit: unit, in: .csvOnly, null: empty, low.1) {
                ends($0)?.low ?? .null
            },
            Field(high.0, .number, unit: unit, in: .csvOnly, null: empty, high.1) {
                ends($0)?.high ?? .null
            },
        ]
    }

    /// An object with the members of one part of the row.
    static func object<Part>(
        _ key: String,
        _ shape: Shape<Part>,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ part: @escaping @Sendable (Row) -> Part?
    ) -> Field {
        let form = ValueForm.object(shape.form)
        return optional(
            Declaration(key, form, in: media, when: presence, null: null, meaning),
            part
        ) {
            shape.fields.members(of: $0)
        }
    }

    /// A list of objects, each with the members of one part.
    package static func list<Part>(
        _ key: String,
        _ shape: Shape<Part>,
        in media: Declaration.Media = .everywhere,
        when presence: String? = nil,
        null: String? = nil,
        _ meaning: String,
        _ parts: @escaping @Sendable (Row) -> [Part]?
    ) -> Field {
        let form = ValueForm.list(.object(shape.form))
        return optional(
            Declaration(key, form, in: media, when: presence, null: null, meaning),
            parts
        ) {
            shape.fields.list(of: $0)
        }
    }
}

/// The fields of an object, with its name in the reference.
package struct Shape<Row>: Sendable {
    let name: String
    let fields: [Field<Row>]

    package init(_ name: String, _ fields: [Field<Row>]) {
        (self.name, self.fields) = (name, fields)
    }

    package var form: ObjectForm { ObjectForm(name, fields.map(\.declaration)) }

    package func members(of row: Row) -> JSONValue { fields.members(of: row) }
}

extension Array {
    /// The fields of a part of a row. Each key starts with `prefix`. Rows without the part lack the
    /// keys. `presence` states when the keys are present.
    package func of<Part, Row>(
        _ prefix: String = "",
        when presence: String? = nil,
        _ part: @escaping @Sendable (Row) -> Part?
    ) -> [Field<Row>] where Element == Field<Part> {
        map { field in
            var declaration = field.declaration
            declaration.key = prefix + field.key
            declaration.presence = declaration.presence ?? presence
            return Field<Row>(declaration) { part($0).flatMap(field.value) }
        }
    }

    /// The same fields, restricted to `media`.
    func only<Row>(_ media: Declaration.Media) -> [Field<Row>] where Element == Field<Row> {
        map { field in
            var declaration = field.declaration
            declaration.media = media
            return Field<Row>(declaration, field.value)
        }
    }
}

extension Array {
    package func members<Row>(of row: Row) -> JSONValue where Element == Field<Row> {
        .object(
            compactMap { field in
                guard field.media != .csvOnly, let value = field.value(row) else { return nil }
                return JSONValue.Member(name: field.key, value: value)
            }
        )
    }

    /// A list with the members of each of `rows`.
    func list<Row>(of rows: [Row]) -> JSONValue where Element == Field<Row> {
        .array(rows.map { members(of: $0) })
    }

    /// The columns of CSV that have a value in at least one row.
    func columns<Row>(filledBy rows: [Row]) -> [Field<Row>] where Element == Field<Row> {
        filter { field in
            field.media != .jsonOnly
                && rows.contains { !(field.value($0)?.csvText.isEmpty ?? true) }
        }
    }

    func cells<Row>(of row: Row) -> [JSONValue] where Element == Field<Row> {
        compactMap { $0.media == .jsonOnly ? nil : $0.value(row) ?? .null }
    }

    func header<Row>() -> [JSONValue] where Element == Field<Row> {
        compactMap { $0.media == .jsonOnly ? nil : .string($0.key) }
    }

    /// A table with one row for each of `rows`.
    func table<Row: Sendable>(of rows: [Row]) -> FigureTable where Element == Field<Row> {
        FigureTable(header: header(), count: rows.count) { cells(of: rows[$0]) }
    }
}
