/// A JSON value (RFC 8259) whose members keep their order.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case unsigned(UInt64)
    /// A number with at least `least` and at most `most` decimals; `null` if it is not finite.
    case number(Double, least: Int, most: Int)
    /// A number with all its digits; `null` if it is not finite.
    case exact(Double)
    /// A number as it is written in a file.
    case numeral(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONValue {
    /// The maximum depth of nested objects and arrays. No result is nested this deep.
    static let deepest = 32

    /// The last value of a key; `nil` if it is missing or null.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self,
            let value = members.last(where: { $0.name == key })?.value, value != .null
        else { return nil }
        return value
    }

    var text: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The value as a whole number. It may be written with a zero fraction.
    var wholeNumber: Int64? {
        guard case .numeral(let text) = self else { return nil }
        return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    /// A short description of the value for an error message.
    var kind: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string(let value): "'\(value.cut(toCharacters: 80))'"
        case .numeral(let text): text.cut(toCharacters: 80)
        case .bool(let value): "\(value)"
        case .integer, .unsigned, .number, .exact: "a number"
        case .null: "null"
        }
    }
}

extension JSONScanner {
    /// Reads a value and the space after it.
    mutating func readValue(depth: Int = 0) throws(JSONFault) -> JSONValue {
        guard depth < JSONValue.deepest else {
            throw fault("objects and arrays are nested more than \(JSONValue.deepest) levels deep")
        }
        if skip("{") { return .object(try readMembers(depth: depth + 1)) }
        if skip("[") { return .array(try readElements(depth: depth + 1)) }
        if skip("\"") {
            var bytes: [UInt8] = []
            try readString { bytes.append($0) }
            skipSpace()
            return .string(String(decoding: bytes, as: UTF8.self))
        }
        let start = self
        let word = String(decoding: readBare(), as: UTF8.self)
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default:
            guard Self.isNumber(word) else {
                throw start.fault("a value is a string, a number, an object, an array or null")
            }
            return .numeral(word)
        }
    }

    /// Whether the word is a number (RFC 8259 §6). Leading zeros are accepted.
    private static func isNumber(_ word: String) -> Bool {
        guard let first = word.utf8.first, let last = word.utf8.last else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (digits.contains(first) || first == UInt8(ascii: "-")) && digits.contains(last)
            && word.utf8.allSatisfy { digits.contains($0) || "+-.eE".utf8.contains($0) }
            && Double(word) != nil
    }

    private mutating func readMembers(depth: Int) throws(JSONFault) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if skip("}") { return members }
        repeat {
            let key = try readKey()
            members.append(
                .init(
                    name: String(decoding: key, as: UTF8.self),
                    value: try readValue(depth: depth)
                )
            )
        } while skip(",")
        guard skip("}") else { throw fault("an object does not end, or lacks a comma") }
        return members
    }

    private mutating func readElements(depth: Int) throws(JSONFault) -> [JSONValue] {
        var elements: [JSONValue] = []
        if skip("]") { return elements }
        repeat { elements.append(try readValue(depth: depth)) } while skip(",")
        guard skip("]") else { throw fault("an array does not end, or lacks a comma") }
        return elements
    }
}
