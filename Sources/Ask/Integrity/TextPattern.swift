import LibC

/// An extended regular expression (POSIX, regex(7)).
///
/// It is matched with untrusted text. The time of the system's matcher is proportional to the
/// length of the text, unless the expression has back-references. Back-references are therefore
/// rejected.
@safe package final class TextPattern: Sendable, Codable {
    package let text: String
    // Safe because regexec(3) only reads it, and many threads may call it at the same time.
    private nonisolated(unsafe) let compiled: UnsafeMutablePointer<regex_t>

    private static let longest = 200
    /// The system's compiler expands counted repetitions, and nested repetitions multiply.
    private static let mostRepeated = 1_000
    /// The maximum number of characters of a text that are matched.
    private static let mostMatched = 4096

    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Compiles `text`. Throws a fault if it is not a valid expression, or may need a long time.
    package init(_ text: String) throws(Fault) {
        guard text.utf8.count <= Self.longest else {
            throw Fault(description: "it has more than \(Self.longest) characters")
        }
        guard text.firstMatch(of: /\\[1-9]/) == nil else {
            throw Fault(description: "back-references such as \\1 are not supported")
        }
        let counts = text.matches(of: /\d+(?=[,\d]*\})/).compactMap { Double($0.output) }
        guard counts.reduce(1, { $0 * max(1, $1) }) <= Double(Self.mostRepeated) else {
            throw Fault(description: "its counts {…} repeat more than \(Self.mostRepeated) times")
        }
        let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
        let code = unsafe regcomp(compiled, text, REG_EXTENDED | REG_NOSUB)
        guard code == 0 else {
            var words = [CChar](repeating: 0, count: 128)
            _ = unsafe regerror(code, compiled, &words, words.count)
            unsafe compiled.deallocate()
            let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw Fault(description: String(decoding: bytes, as: UTF8.self))
        }
        self.text = text
        unsafe self.compiled = compiled
    }

    /// Whether a part of `text` matches.
    package func matches(_ text: String) -> Bool {
        unsafe regexec(compiled, String(text.prefix(Self.mostMatched)), 0, nil, 0) == 0
    }

    package convenience init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    deinit {
        unsafe regfree(compiled)
        unsafe compiled.deallocate()
    }
}
