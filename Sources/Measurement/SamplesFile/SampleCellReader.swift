/// Reads the cells of one row as what their columns hold; `nil` is unknown.
struct SampleCellReader {
    let cells: SampleCells
    let file: String

    func text(_ column: SampleColumn) -> String? {
        cells[column].map { String(decoding: $0, as: UTF8.self) }
    }

    /// A text that names something, which is not long.
    func name(_ column: SampleColumn) throws(SamplesError) -> String? {
        let isLong = (cells[column]?.count ?? 0) > Self.longestName
        let text = isLong ? nil : text(column)
        // What is hidden, or no UTF-8, has more octets when it is written: a file that was read has
        // to be one that can be read again.
        guard !isLong, text.map({ [UInt8].harmless($0).count <= Self.longestName }) ?? true else {
            throw error(column, "is longer than \(Self.longestName) octets")
        }
        return text
    }

    private static let longestName = 255

    func word<Word: NamedCase>(_ column: SampleColumn) throws(SamplesError) -> Word? {
        guard let cell = cells[column] else { return nil }
        guard let word = Word.allCases.first(where: { cell.elementsEqual($0.description.utf8) })
        else {
            let known = Word.allCases.map(\.description).joined(separator: ", ")
            throw invalid(column, "none of \(known)")
        }
        return word
    }

    func integer<Number: FixedWidthInteger>(
        _ column: SampleColumn
    ) throws(SamplesError) -> Number? {
        guard let cell = cells[column] else { return nil }
        var value: Number = 0
        for octet in cell {
            let digit = octet &- UInt8(ascii: "0")
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, more) = tens.addingReportingOverflow(Number(truncatingIfNeeded: digit))
            guard digit < 10, !overflow, !more else {
                throw invalid(column, "no whole number from 0 to \(Number.max)")
            }
            value = sum
        }
        return value
    }

    func moment(_ column: SampleColumn) throws(SamplesError) -> Timestamp? {
        guard let cell = cells[column] else { return nil }
        guard let moment = Timestamp(utf8: cell) else {
            throw invalid(column, "no time such as 2026-11-21T03:35:12.123456Z")
        }
        return moment
    }

    /// Milliseconds of any number of decimals, in nanoseconds.
    func milliseconds(_ column: SampleColumn) throws(SamplesError) -> Int64? {
        guard let cell = cells[column] else { return nil }
        guard let value = Self.nanoseconds(cell) ?? Self.roundedNanoseconds(cell),
            value <= Observation.longestTime
        else { throw invalid(column, "no number of milliseconds") }
        return value
    }

    func error(_ column: SampleColumn, _ reason: String) -> SamplesError {
        SamplesError(file: file, line: cells.line, column: column.title, reason: reason)
    }

    /// That what a cell has is not what its column holds.
    func invalid(_ column: SampleColumn, _ reason: String) -> SamplesError {
        let text = (text(column) ?? "").cut(toCharacters: 80)
        return error(column, "'\(text)' is \(reason)")
    }

    /// Digits, and up to six more after a point: exact. `nil` for anything else.
    private static func nanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        var decimals = -1
        var digits = 0
        for octet in cell {
            if octet == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
                continue
            }
            guard octet >= UInt8(ascii: "0"), octet <= UInt8(ascii: "9"), digits < 17 else {
                return nil
            }
            value = value * 10 + Int64(octet - UInt8(ascii: "0"))
            digits += 1
            if decimals >= 0 { decimals += 1 }
        }
        guard digits > 0, decimals <= 6 else { return nil }
        for _ in max(0, decimals)..<6 {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            value = product
        }
        return value
    }

    /// Any other number that other programs write, such as `1.5e-3`.
    private static func roundedNanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        guard let number = Double(String(decoding: cell, as: UTF8.self)), number >= 0 else {
            return nil
        }
        return Int64(exactly: (number * 1_000_000).rounded())
    }
}
