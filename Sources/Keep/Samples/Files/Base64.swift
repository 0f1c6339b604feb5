extension [UInt8] {
    /// Decodes base64 with padding ([RFC 4648 §4](https://www.rfc-editor.org/rfc/rfc4648#section-4)); `nil`
    /// for any other text.
    init?(base64 text: [UInt8]) {
        guard text.count % 4 == 0 else { return nil }
        self = []
        reserveCapacity(text.count / 4 * 3)
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var (bits, held): (UInt32, UInt32) = (0, 0)
        for byte in text.dropLast(padding) {
            guard let value = base64Values[byte] else { return nil }
            bits = bits << 6 | value
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            append(UInt8(truncatingIfNeeded: bits >> held))
        }
    }
}

private let base64Values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8,
        0...
    )
)
