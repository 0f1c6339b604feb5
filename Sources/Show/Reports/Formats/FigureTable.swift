package import Samples

/// Figures in columns, each row of which is made only when it is written.
package struct FigureTable: Sendable {
    package var header: [JSONValue] = []
    /// Number of rows below the header.
    package var count = 0
    var row: @Sendable (Int) -> [JSONValue] = { _ in [] }

    /// The first rows.
    func rows(atMost limit: Int = .max) -> [[JSONValue]] {
        (0..<Swift.min(count, limit)).map(row)
    }

    /// The header, then the rows.
    package var cells: [[JSONValue]] { [header] + rows() }
}

extension JSONValue {
    /// An interval's ends in milliseconds.
    static func ends(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.milliseconds(interval.lowerBound), .milliseconds(interval.upperBound))
    }

    /// The same of an interval of a share.
    static func rates(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.rate(interval.lowerBound), .rate(interval.upperBound))
    }

    /// Text of a cell for spreadsheets, before it is escaped.
    var csvText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map(\.csvText).joined(separator: " ")
        case .object(let members):
            members.map { "\($0.name) \($0.value.csvText)" }.joined(separator: " ")
        case .number(let value, _, _) where !value.isFinite: ""
        case .exact(let value) where !value.isFinite: ""
        case .bool, .integer, .unsigned, .number, .exact, .numeral: text()
        }
    }

    /// A cell ready for a file; figures of our own, which may be negative, are no formula.
    var csv: String {
        switch self {
        case .null, .bool, .integer, .unsigned, .number, .exact, .numeral: csvText
        case .string, .array, .object: EscapedText.csv(csvText)
        }
    }
}

extension [[JSONValue]] {
    var csv: String {
        map { $0.map(\.csv).joined(separator: ",") + "\n" }.joined()
    }
}
