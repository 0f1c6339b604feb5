package import Samples

/// A table of figures. Each row is created only when it is written.
package struct FigureTable: Sendable {
    package var header: [JSONValue] = []
    /// The number of rows below the header.
    package var count = 0
    var row: @Sendable (Int) -> [JSONValue] = { _ in [] }

    /// The first rows, at most `limit`.
    func rows(atMost limit: Int = .max) -> [[JSONValue]] {
        (0..<Swift.min(count, limit)).map(row)
    }

    /// The header, then the rows.
    package var cells: [[JSONValue]] { [header] + rows() }
}

extension JSONValue {
    /// The ends of an interval in milliseconds.
    static func ends(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.milliseconds(interval.lowerBound), .milliseconds(interval.upperBound))
    }

    /// The ends of an interval of a share.
    static func rates(_ interval: ClosedRange<Double>) -> (low: JSONValue, high: JSONValue) {
        (.rate(interval.lowerBound), .rate(interval.upperBound))
    }

    /// The text of a spreadsheet cell before escaping.
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

    /// The escaped text of a spreadsheet cell. Numbers are not escaped: a negative number is no
    /// formula.
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
