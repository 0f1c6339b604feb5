extension [UInt8] {
    /// Reads pairs of hexadecimal digits; `nil` if the text contains anything else.
    init?(hex: String) {
        let digits = hex.utf8.compactMap { UInt8(String(Unicode.Scalar($0)), radix: 16) }
        guard digits.count == hex.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Two hexadecimal digits per byte.
    var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
