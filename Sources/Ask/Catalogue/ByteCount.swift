/// A number of bytes, such as `200MB`.
package struct ByteCount: TextValue, Hashable, Sendable, Codable, CustomStringConvertible {
    package let bytes: Int64

    package init(_ bytes: Int64) { self.bytes = bytes }

    private static let units: [(name: String, bytes: Int64)] = [
        ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("KiB", 1 << 10),
        ("MiB", 1 << 20), ("GiB", 1 << 30),
    ]
    /// More than a line transfers in a day at 10 Gbit/s.
    private static let most: Int64 = 100_000_000_000_000

    /// Reads a whole number and a unit: kB, MB, GB, KiB, MiB or GiB.
    package init(parsing text: String) throws(CatalogueError) {
        let digits = text.utf8.prefix { $0.isDigit }
        let unit = text[digits.endIndex...].trimmingSpaces.lowercased()
        let factor = Self.units.first { $0.name.lowercased() == unit }?.bytes
        guard let factor, let number = Int64(Substring(digits)), number > 0,
            number <= Self.most / factor
        else {
            throw .usage("\(text.quoted) is no number of bytes; write one such as 200MB or 2GB")
        }
        bytes = number * factor
    }

    /// The number in the largest decimal unit below it, with three digits, such as `1.23 GB`.
    package var description: String {
        guard let unit = Self.units.prefix(3).last(where: { bytes >= $0.bytes }) else {
            return "\(bytes) bytes"
        }
        let value = Double(bytes) / Double(unit.bytes)
        let places = value >= 100 ? 0 : value >= 10 ? 1 : 2
        let scale = [1.0, 10, 100][places]
        return "\((value * scale).rounded() / scale) \(unit.name)".replacing(".0 ", with: " ")
    }
}
