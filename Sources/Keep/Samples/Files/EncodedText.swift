/// Converts a text that arrives in portions to UTF-8. UTF-16 with a byte order mark, which spreadsheets
/// write, is converted. All other text is unchanged.
struct EncodedText {
    private enum Encoding {
        case unknown, unchanged, littleEndian, bigEndian
    }

    private var encoding = Encoding.unknown
    /// Bytes that can only be converted together with the following bytes.
    private var waiting: [UInt8] = []

    /// The UTF-8 bytes of the next `portion`. An empty portion means the end of the text.
    mutating func utf8(_ portion: [UInt8]) -> [UInt8] {
        if encoding == .unchanged { return portion }
        waiting += portion
        let isAtEnd = portion.isEmpty
        if encoding == .unknown {
            guard waiting.count >= 2 || isAtEnd else { return [] }
            encoding =
                waiting.starts(with: [0xff, 0xfe])
                ? .littleEndian : waiting.starts(with: [0xfe, 0xff]) ? .bigEndian : .unchanged
        }
        guard encoding != .unchanged else {
            defer { waiting = [] }
            return waiting
        }
        var units = stride(from: 0, to: waiting.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(waiting[place]), UInt16(waiting[place + 1]))
            return encoding == .bigEndian ? first << 8 | second : second << 8 | first
        }
        if !isAtEnd, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        waiting.removeFirst(2 * units.count)
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
