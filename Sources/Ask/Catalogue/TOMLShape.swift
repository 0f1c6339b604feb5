/// The shape of a TOML file, checked before the parser sees it, whose depth of the stack follows
/// the file's: bounds on how long it is and how deep its keys, tables and arrays go.
///
/// It also takes headers without a name, on which the parser's own checks end the program where
/// they are compiled in.
struct TOMLShape {
    /// Why a file is not parsed, and on which line that is.
    struct Fault: Error {
        var line: Int
        var reason: String
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Brackets and braces that are open, and parts of the key that is being read.
    private var depth = 0
    private var parts = 1

    /// Far below what the parser's stack carries.
    private static let deepest = 64
    /// In octets: a campaign of a hundred thousand names fits.
    private static let longest = 8 << 20

    /// Throws what is wrong with the shape of a text; whether it is TOML is for the parser to say.
    static func check(_ text: String) throws(Fault) {
        guard text.utf8.count <= longest else {
            throw Fault(line: 1, reason: "the file is larger than 8 MB")
        }
        var shape = TOMLShape(bytes: Array(text.utf8))
        while shape.position < shape.bytes.count { try shape.step() }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func step() throws(Fault) {
        let octet = bytes[position]
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return skipText(octet)
        case UInt8(ascii: "#"): return skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "."): parts += 1
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            if depth == 0, isFirstOfLine { try checkHeader() }
            (depth, parts) = (depth + 1, 1)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
        case UInt8(ascii: "\n"): (line, parts) = (line + 1, 1)
        case UInt8(ascii: "="), UInt8(ascii: ","): parts = 1
        case 0x80...:
            // A mark of the byte order may stand before everything.
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

    /// That a name follows `[` or `[[`.
    private func checkHeader() throws(Fault) {
        var rest = bytes[position...].dropFirst()
        if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
        let first = rest.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard let first, first.isAlphanumeric || "_-\"'".utf8.contains(first) else {
            throw Fault(line: line, reason: "a table's name is missing after '['")
        }
    }

    /// Passes over text in one or three quotes; what does not end is the parser's to refuse.
    private mutating func skipText(_ quote: UInt8) {
        let isLong = bytes[position...].starts(with: [quote, quote, quote])
        position += isLong ? 3 : 1
        while position < bytes.count {
            let octet = bytes[position]
            if octet == UInt8(ascii: "\n") {
                guard isLong else { return }
                line += 1
            }
            if octet == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                position += bytes[position...].dropFirst().first == UInt8(ascii: "\n") ? 1 : 2
                continue
            }
            guard octet == quote else {
                position += 1
                continue
            }
            guard isLong else { break }
            if bytes[position...].starts(with: [quote, quote, quote]) { break }
            position += 1
        }
        position = min(bytes.count, position + (isLong ? 3 : 1))
        // Two more quotes may belong to the text.
        if isLong { skip { $0 == quote } }
    }

    private mutating func skip(while isPassed: (UInt8) -> Bool) {
        while position < bytes.count, isPassed(bytes[position]) { position += 1 }
    }
}
