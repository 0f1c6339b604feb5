/// The string literals of a Swift file that are text for people.
struct SourceStrings {
    /// The sentences in the order of the file, without duplicates. Literals joined by `+` are one sentence.
    /// Interpolations become `{}`, and each line is its own sentence.
    private(set) var sentences: [String] = []
    private let octets: [UInt8]
    private var place = 0

    init(of source: String) {
        octets = Array(source.utf8)
        readCode(untilBracket: false)
    }

    private func isAt(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= octets.count, unsafe octets[place] == text.utf8Start.pointee
        else { return false }
        return text.withUTF8Buffer { unsafe octets[place..<place + count].elementsEqual($0) }
    }

    private mutating func skip(past text: StaticString) {
        while place < octets.count, !isAt(text) { place += 1 }
        place += text.utf8CodeUnitCount
    }

    /// Reads code to its end, or to the bracket that ends an interpolation.
    private mutating func readCode(untilBracket isInterpolation: Bool) {
        var depth = 0
        while place < octets.count {
            if isAt("//") {
                skip(past: "\n")
            } else if isAt("/*") {
                skip(past: "*/")
            } else if isAt("#/") {
                skip(past: "/#")
            } else if beginsLiteral {
                readSum()
            } else {
                if isAt("(") { depth += 1 }
                if isAt(")") {
                    if isInterpolation, depth == 0 { return }
                    depth -= 1
                }
                place += 1
            }
        }
    }

    private var beginsLiteral: Bool { isAt("\"") || isAt("#\"") }

    /// Reads a literal, and the literals that `+` joins to it.
    private mutating func readSum() {
        var text = ""
        var end = place
        repeat {
            text += readLiteral()
            end = place
            skipSpace()
            guard isAt("+") else { break }
            place += 1
            skipSpace()
        } while beginsLiteral
        place = end
        for line in text.split(separator: "\n") {
            let sentence = line.split(separator: " ").joined(separator: " ")
            if Self.isSentence(sentence), !sentences.contains(sentence) {
                sentences.append(sentence)
            }
        }
    }

    private mutating func skipSpace() {
        while isAt(" ") || isAt("\n") { place += 1 }
    }

    private mutating func readLiteral() -> String {
        let isRaw = isAt("#")
        if isRaw { place += 1 }
        let isLong = isAt("\"\"\"")
        place += isLong ? 3 : 1
        var text: [UInt8] = []
        while place < octets.count {
            if isLong ? isAt("\"\"\"") : isAt("\""), !isRaw || isRawEnd(isLong) {
                place += (isLong ? 3 : 1) + (isRaw ? 1 : 0)
                break
            }
            if isAt("\\"), !isRaw {
                place += 1
                readEscape(into: &text)
            } else {
                text.append(octets[place])
                place += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func isRawEnd(_ isLong: Bool) -> Bool { isLong ? isAt("\"\"\"#") : isAt("\"#") }

    private mutating func readEscape(into text: inout [UInt8]) {
        defer { place += 1 }
        switch octets[place] {
        case UInt8(ascii: "("):
            place += 1
            readCode(untilBracket: true)
            text += Array("{}".utf8)
        case UInt8(ascii: "u"):
            while place < octets.count, octets[place] != UInt8(ascii: "}") { place += 1 }
        case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "\n"): text.append(UInt8(ascii: " "))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(octets[place])
        default: break
        }
    }

    /// Returns whether a text contains two adjacent words and is not code.
    private static func isSentence(_ text: String) -> Bool {
        guard text.contains(" ") else { return false }
        let isCode =
            text.contains(#/^\W*[A-Z]{4,} |^(WITH|AND|OR|ON|FROM|AS|IN|SET) /#)
            || text.contains(#/[;{] *$|^[.#]?[\w-]+ \{(?!\})|[a-z-]+: ?[^ ]+;|^--[a-z]+ \{\}$/#)
            || text.contains(#/=>|\(\)|^<|&&/#)
        guard !isCode else { return false }
        let words = text.split(separator: " ").filter { $0.contains(#/^\W*[A-Za-z][a-z'’]/#) }
        return words.count >= 2 && text.contains(#/[a-z}%)'"][,:;.]? [a-z{("'<–-]/#)
    }
}
