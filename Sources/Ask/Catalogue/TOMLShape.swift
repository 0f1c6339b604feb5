/// A check of a TOML file's shape before it is parsed. The depth of the parser's stack follows the
/// depth of the file. The check limits the size of the file and the depth of its keys, tables and
/// arrays.
///
/// It also rejects headers without a name. They stop the program if the parser's own assertions are
/// compiled in.
struct TOMLShape {
    /// The reason why a file is rejected, and its line.
    struct Fault: Error {
        var line: Int
        var reason: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// The number of open brackets and braces, and of parts of the current key.
    private var depth = 0
    private var parts = 1

    /// Far below the capacity of the parser's stack.
    private static let deepest = 64
    /// The maximum size in bytes. A campaign with a hundred thousand names fits.
    private static let longest = 8 << 20

    /// Throws an error about the shape of a text. The parser decides whether it is TOML.
    static func check(_ text: String) throws(Fault) {
        guard text.utf8.count <= longest else {
            throw Fault(line: 1, reason: "the file is larger than 8 MB")
        }
        var shape = TOMLShape(bytes: Array(text.utf8))
        while shape.position < shape.bytes.count { try shape.step() }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func step() throws(Fault) {
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipText(byte)
        case UInt8(ascii: "#"): return skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "."): parts += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if depth == 0, isFirstOfLine { try checkHeader() }
            (depth, parts) = (depth + 1, 1)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        case UInt8(ascii: "\n"): (line, parts) = (line + 1, 1)
        case UInt8(ascii: "="), UInt8(ascii: ","): parts = 1
        case 0x80...:
            // A byte order mark may precede the text.
            guard position < 3, bytes.starts(with: [0xef, 0xbb, 0xbf]) else {
                throw Fault(line: line, reason: "a character outside of quotes is not ASCII")
            }
        default: break
        }
        guard depth <= Self.deepest, parts <= Self.deepest else {
            throw Fault(line: line, reason: "more than \(Self.deepest) levels deep")
        }
        position += 1
    }

    private var isFirstOfLine: Bool {
        let before = bytes[..<position].last { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return before == nil || before == UInt8(ascii: "\n")
    }

    /// Throws unless a name follows `[` or `[[`.
    private func checkHeader() throws(Fault) {
        var rest = bytes[position...].dropFirst()
        if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
        let first = rest.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard let first, first.isAlphanumeric || "_-\"'".utf8.contains(first) else {
            throw Fault(line: line, reason: "a table's name is missing after '['")
        }
    }

    /// Skips text in one or three quotes. The parser rejects a text without an end.
    private mutating func skipText(_ quote: UInt8) {
        let isLong = bytes[position...].starts(with: [quote, quote, quote])
        position += isLong ? 3 : 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                guard isLong else { return }
                line += 1
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += bytes[position...].dropFirst().first == UInt8(ascii: "\n") ? 1 : 2
                continue
            }
            guard byte == quote else {
                position += 1
                continue
            }
            guard isLong else { break }
            if bytes[position...].starts(with: [quote, quote, quote]) { break }
            position += 1
        }
        position = min(bytes.count, position + (isLong ? 3 : 1))
        // Up to two more quotes may belong to the text.
        if isLong { skip { $0 == quote } }
    }

    private mutating func skip(while isPassed: (UInt8) -> Bool) {
        while position < bytes.count, isPassed(bytes[position]) { position += 1 }
    }
}
