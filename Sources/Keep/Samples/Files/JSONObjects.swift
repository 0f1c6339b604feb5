/// The objects of a file that contains an array of objects, or one object after another. Only one object at a
/// time is in memory. Files may have any size, and lines may end anywhere.
struct JSONObjects {
    /// An object's text and its position.
    struct Piece {
        var text: ArraySlice<UInt8>
        /// The line, from 1.
        var line: Int
        /// The position of the first byte in the file, from 1.
        var byte: Int
    }

    private enum State {
        case outside, arrayBegun, afterElement, afterComma
    }

    /// The name of the file, for errors.
    let file: String
    private let source: SamplesStream.Source
    private var waiting: [UInt8] = []
    private var position = 0
    /// The numbers of bytes and line feeds before ``waiting``.
    private var bytes = 0
    private var lines = 0
    /// The number of line feeds in ``waiting`` before the position.
    private var linesWaiting = 0
    private var isAtEnd = false
    private var state = State.outside

    init(file: String, source: @escaping SamplesStream.Source) {
        self.file = file
        self.source = source
    }

    /// The next object; `nil` at the end.
    mutating func next() throws -> Piece? {
        while let byte = try peek() {
            switch (byte, state) {
            case (UInt8(ascii: "{"), .outside): return try readObject()
            case (UInt8(ascii: "{"), .arrayBegun), (UInt8(ascii: "{"), .afterComma):
                state = .afterElement
                return try readObject()
            case (UInt8(ascii: "["), .outside): state = .arrayBegun
            case (UInt8(ascii: "]"), .arrayBegun), (UInt8(ascii: "]"), .afterElement):
                state = .outside
            case (UInt8(ascii: ","), .afterElement): state = .afterComma
            case (_, .afterElement): throw error("a comma is missing between two results")
            default: throw error("a result is an object, in { }")
            }
            position += 1
        }
        guard state == .outside else { throw error("the array of results does not end") }
        return nil
    }

    /// The byte at the position, after skipping space; `nil` at the end of the file.
    private mutating func peek() throws -> UInt8? {
        while true {
            while position < waiting.count {
                let byte = waiting[position]
                let isMark = bytes + position < 3 && "\u{feff}".utf8.contains(byte)
                guard JSONScanner.isSpace(byte) || isMark else { return byte }
                advance()
            }
            guard try fill() else { return nil }
        }
    }

    private mutating func advance() {
        if waiting[position] == UInt8(ascii: "\n") { linesWaiting += 1 }
        position += 1
    }

    /// Reads another portion, and drops the bytes before the position. Returns `false` at the end of the
    /// file.
    private mutating func fill() throws -> Bool {
        if isAtEnd { return false }
        bytes += position
        lines += linesWaiting
        linesWaiting = 0
        waiting.removeSubrange(..<position)
        position = 0
        let portion = try source()
        isAtEnd = portion.isEmpty
        waiting += portion
        return !isAtEnd
    }

    /// Reads up to the bracket that closes the bracket at the position. Brackets in strings are ignored.
    private mutating func readObject() throws -> Piece {
        let (line, byte) = (lines + linesWaiting + 1, bytes + position + 1)
        var seen = 0
        var depth = 0
        var isString = false
        var isEscaped = false
        while true {
            while position + seen < waiting.count {
                let next = waiting[position + seen]
                seen += 1
                if isString {
                    if isEscaped {
                        isEscaped = false
                    } else if next == UInt8(ascii: "\\") {
                        isEscaped = true
                    } else if next == UInt8(ascii: "\"") {
                        isString = false
                    }
                    continue
                }
                switch next {
                case UInt8(ascii: "\""): isString = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                default: break
                }
                guard depth == 0 else { continue }
                let text = waiting[position..<position + seen]
                linesWaiting += text.count { $0 == UInt8(ascii: "\n") }
                position += seen
                return Piece(text: text, line: line, byte: byte)
            }
            guard seen <= FileLines.longestRow else {
                throw error("a result is longer than one can be")
            }
            guard try fill() else { throw error("a result does not end") }
        }
    }

    private func error(_ reason: String) -> SamplesError {
        SamplesError(
            file: file,
            line: lines + linesWaiting + 1,
            reason: reason,
            byte: bytes + position + 1
        )
    }
}

extension JSONObjects.Piece {
    /// The parsed value of the text. Throws an error with its position if the text is invalid.
    func value(file: String) throws(SamplesError) -> JSONValue {
        var scanner = JSONScanner(text)
        do throws(JSONFault) {
            let value = try scanner.readValue()
            guard scanner.isAtEnd else { throw scanner.fault("something follows a result") }
            return value
        } catch {
            let before = text[..<error.position]
            throw SamplesError(
                file: file,
                line: line + before.count { $0 == UInt8(ascii: "\n") },
                reason: error.reason,
                byte: byte + before.count
            )
        }
    }
}
