/// A value that options and files write as text.
package protocol TextValue {
    init(parsing text: String) throws(CatalogueError)
}

/// The text form of a duration: one number and a unit, such as `250ms`, `1.5s` or `7d`.
package enum DurationText {
    /// No option needs a longer duration, and longer ones would overflow 64-bit nanoseconds.
    private static let longest = Duration.seconds(36_500 * 86_400)

    private static let units: [(name: String, attoseconds: Int128)] = [
        ("us", 1_000_000_000_000), ("ms", 1_000_000_000_000_000),
        ("s", 1_000_000_000_000_000_000), ("m", 60_000_000_000_000_000_000),
        ("h", 3_600_000_000_000_000_000_000), ("d", 86_400_000_000_000_000_000_000),
    ]

    fileprivate static func parse(_ text: String) throws(CatalogueError) -> Duration {
        guard text != "0" else { return .zero }
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[number.endIndex...]
        guard !text.hasPrefix("-") else { throw refused(text, "is negative") }
        guard let (digits, scale) = decimal(number) else {
            throw refused(text, "is not a duration")
        }
        guard !unit.isEmpty else { throw refused(text, "has no unit") }
        guard let factor = units.first(where: { $0.name == unit })?.attoseconds else {
            throw refused(text, "is not a duration")
        }
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        let duration = Duration(attoseconds: product / scale)
        guard !overflow, duration <= longest else {
            throw .usage("the duration \(text.quoted) is too long; 36500d is the most")
        }
        return duration
    }

    /// The shortest exact text, in the largest unit that divides the duration. Nanoseconds are
    /// truncated.
    package static func format(_ duration: Duration) -> String {
        let attoseconds = duration.attoseconds
        guard let smallest = units.first, attoseconds >= smallest.attoseconds else { return "0" }
        let unit = units.last { attoseconds % $0.attoseconds == 0 } ?? smallest
        return "\(attoseconds / unit.attoseconds)\(unit.name)"
    }

    private static func refused(_ text: String, _ reason: String) -> CatalogueError {
        CatalogueError.usage(
            "\(text.quoted) \(reason); write one number and a unit: 250ms, 30s, 5m, 2h or 7d"
        )
    }

    /// The digits as one integer, and the power of ten to divide it by.
    private static func decimal(_ text: Substring) -> (digits: Int128, scale: Int128)? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }),
            text.utf8.count <= 18, let digits = Int128(parts.joined())
        else { return nil }
        let places = parts.count == 2 ? parts[1].utf8.count : 0
        return (digits, (0..<places).reduce(1) { scale, _ in scale * 10 })
    }
}

extension Duration: TextValue {
    /// Reads a duration. `0` needs no unit.
    package init(parsing text: String) throws(CatalogueError) {
        self = try DurationText.parse(text)
    }

    /// Whole nanoseconds, rounded towards zero. An overflow gives the largest or smallest number.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, more) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard overflow || more else { return sum }
        return seconds < 0 ? .min : .max
    }
}

/// Decodes durations. A file may contain any value, and the arithmetic of Duration stops the
/// program if whole seconds overflow 64 bits.
extension KeyedDecodingContainer {
    /// Decodes a duration. Throws a decoding error if it is longer than a hundred years.
    package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
        let time = try unchecked(type, forKey: key)
        let longest = Duration.seconds(3_155_760_000)
        guard (.zero - longest...longest).contains(time) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: self,
                debugDescription: "longer than a hundred years"
            )
        }
        return time
    }

    package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }

    private func unchecked<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension Int {
    /// The number with its noun, such as `1 round` or `2 rounds`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
