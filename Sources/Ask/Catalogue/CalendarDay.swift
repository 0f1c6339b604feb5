/// A day of the Gregorian calendar in the catalogue's notation, such as `2026-07-24`.
package struct CalendarDay: TextValue, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String

    package init(parsing text: String) throws(CatalogueError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isShaped =
            parts.map(\.utf8.count) == [4, 2, 2]
            && parts.allSatisfy { $0.utf8.allSatisfy(\.isDigit) }
        guard isShaped, let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), (1...31).contains(day)
        else { throw .usage("\(text.quoted) is not a day; write one such as 2026-07-24") }
        description = text
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.description < right.description
    }
}
