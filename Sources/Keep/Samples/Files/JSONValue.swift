/// A value of JSON (RFC 8259), for texts that are small and not flat.
enum JSONValue {
    /// The last of several values of one key.
    case object([String: JSONValue])
    case array([JSONValue])
    case string([UInt8])
    /// A number as it stands.
    case number(String)
    case bool(Bool)
    case null

    /// Levels of objects and arrays inside each other: more than any result has.
    static let deepest = 32

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self, let value = members[key] else { return nil }
        if case .null = value { return nil }
        return value
    }

    var text: String? {
        guard case .string(let octets) = self else { return nil }
        return String(decoding: octets, as: UTF8.self)
    }

    /// A whole number, written as one or with a fraction of zero.
    var integer: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    }

    /// The description of it for a message, in few words.
    var kind: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string(let octets):
            "'\(String(decoding: octets, as: UTF8.self).cut(toCharacters: 80))'"
        case .number(let text): text.cut(toCharacters: 80)
        case .bool(let value): "\(value)"
        case .null: "null"
        }
    }
}

extension JSONScanner {
    /// Reads a value, with the space after it.
    mutating func readValue(depth: Int = 0) throws(JSONFault) -> JSONValue {
        guard depth < JSONValue.deepest else {
            throw fault("objects and arrays are nested more than \(JSONValue.deepest) levels deep")
        }
        if skip("{") { return .object(try readMembers(depth: depth + 1)) }
        if skip("[") { return .array(try readElements(depth: depth + 1)) }
        if skip("\"") {
            var octets: [UInt8] = []
            try readString { octets.append($0) }
            skipSpace()
            return .string(octets)
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
            return .number(word)
        }
    }

    /// As RFC 8259 §6 writes numbers, but for leading zeros.
    private static func isNumber(_ word: String) -> Bool {
        guard let first = word.utf8.first, let last = word.utf8.last else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (digits.contains(first) || first == UInt8(ascii: "-")) && digits.contains(last)
            && word.utf8.allSatisfy { digits.contains($0) || "+-.eE".utf8.contains($0) }
            && Double(word) != nil
    }

    private mutating func readMembers(depth: Int) throws(JSONFault) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if skip("}") { return members }
        repeat {
            let key = try readKey()
            members[String(decoding: key, as: UTF8.self)] = try readValue(depth: depth)
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
