package import Samples

extension JSONValue {
    /// A time in milliseconds, with at least three decimals. Decimals of nanoseconds follow if they
    /// are not zero.
    static func milliseconds(_ value: Double?) -> JSONValue {
        value.map { .number($0, least: 3, most: 6) } ?? .null
    }

    static func counts(_ counts: [(String, Int)]) -> JSONValue {
        .object(counts.map { Member(name: $0.0, value: .integer($0.1)) })
    }

    package static func moment(_ moment: Timestamp?) -> JSONValue {
        moment.map { .string($0.description) } ?? .null
    }

    static func rate(_ value: Double?) -> JSONValue {
        value.map { .number($0, least: 1, most: 9) } ?? .null
    }

    /// The JSON text. Objects, and arrays of objects, have one line per member.
    package func text(indent: String = "") -> String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return "\(value)"
        case .unsigned(let value): return "\(value)"
        case .number(let value, let least, let most):
            return value.isFinite ? value.fixed(least: least, most: most) : "null"
        case .exact(let value): return value.isFinite ? "\(value)" : "null"
        case .numeral(let value): return value
        case .string(let value): return "\"\(EscapedText.json(value))\""
        case .array(let values):
            let isFlat = values.allSatisfy { !$0.isObject }
            let texts = values.map { $0.text(indent: indent + "  ") }
            return isFlat
                ? "[\(texts.joined(separator: ", "))]" : Self.block("[", texts, "]", indent)
        case .object(let members):
            let texts = members.map { member in
                "\"\(EscapedText.json(member.name))\": \(member.value.text(indent: indent + "  "))"
            }
            return Self.block("{", texts, "}", indent)
        }
    }

    package static func + (left: JSONValue, right: JSONValue) -> JSONValue {
        guard case .object(let first) = left, case .object(let last) = right else { return left }
        return .object(first + last)
    }

    /// The JSON text on one line, as JSON Lines requires.
    var line: String {
        switch self {
        case .null, .bool, .integer, .unsigned, .number, .exact, .numeral, .string: return text()
        case .array(let values): return "[\(values.map(\.line).joined(separator: ","))]"
        case .object(let members):
            let texts = members.map { "\"\(EscapedText.json($0.name))\":\($0.value.line)" }
            return "{\(texts.joined(separator: ","))}"
        }
    }

    private var isObject: Bool {
        if case .object = self { return true }
        return false
    }

    private static func block(
        _ opening: String,
        _ parts: [String],
        _ closing: String,
        _ indent: String
    ) -> String {
        guard !parts.isEmpty else { return opening + closing }
        let inside = parts.map { indent + "  " + $0 }.joined(separator: ",\n")
        return "\(opening)\n\(inside)\n\(indent)\(closing)"
    }
}
