import Catalogue

/// The parsed cells of one row of a samples file: the bytes of each column.
struct SampleCells {
    /// The name of the file, for errors.
    let file: String
    private(set) var line = 0
    /// The position of the row in the file, for formats in which the line number is not sufficient.
    private var byte: Int?
    private(set) var bytes: [UInt8] = []
    private var ranges = [Range<Int>?](repeating: nil, count: SampleColumn.allCases.count)
    private var start = 0

    init(file: String) { self.file = file }

    /// The bytes of a cell; `nil` if the column is missing or the cell is empty.
    subscript(column: SampleColumn) -> ArraySlice<UInt8>? {
        guard let range = ranges[column.rawValue], !range.isEmpty else { return nil }
        return bytes[range]
    }

    /// Whether the row contains the column, even if the cell is empty.
    func has(_ column: SampleColumn) -> Bool { ranges[column.rawValue] != nil }

    mutating func clear(line: Int, byte: Int? = nil) {
        self.line = line
        self.byte = byte
        bytes.removeAll(keepingCapacity: true)
        for index in ranges.indices { ranges[index] = nil }
        start = 0
    }

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(_ data: some Sequence<UInt8>) { bytes.append(contentsOf: data) }

    /// Ends the current cell. The cell of an unknown column (`nil`) is dropped. `unguarded` removes the
    /// apostrophe that protects text which looks like a formula.
    mutating func endCell(of column: SampleColumn?, unguarded: Bool = false) {
        defer { start = bytes.count }
        guard let column else { return }
        let quote = UInt8(ascii: "'")
        let isGuarded =
            unguarded && column.isText && bytes.count >= start + 2 && bytes[start] == quote
            && (bytes[start + 1] == quote || [UInt8].startsFormula(bytes[start + 1]))
        ranges[column.rawValue] = (isGuarded ? start + 1 : start)..<bytes.count
    }
}

/// The cells converted to the types of their columns; `nil` means unknown.
extension SampleCells {
    func text(_ column: SampleColumn) -> String? {
        self[column].map { String(decoding: $0, as: UTF8.self) }
    }

    /// A name, whose length is limited.
    func name(_ column: SampleColumn) throws(SamplesError) -> String? {
        let longest = Resolver.longestName
        let isLong = (self[column]?.count ?? 0) > longest
        let text = isLong ? nil : text(column)
        // Hidden characters and invalid UTF-8 become longer when they are written. The limit applies to the
        // written form, so that a written file can be read again.
        guard !isLong, text.map({ [UInt8].harmless($0).count <= longest }) ?? true else {
            throw error(column, "is longer than \(longest) bytes")
        }
        return text
    }

    func word<Word: NamedCase>(_ column: SampleColumn) throws(SamplesError) -> Word? {
        try value(column, "none of \(Word.words.joined(separator: ", "))") { cell in
            Word.words.firstIndex { cell.elementsEqual($0.utf8) }
                .flatMap { Word(rawValue: UInt8($0)) }
        }
    }

    func integer<Number: FixedWidthInteger>(
        _ column: SampleColumn
    ) throws(SamplesError) -> Number? {
        try value(column, "no whole number from 0 to \(Number.max)") { cell in
            var value: Number = 0
            for byte in cell {
                let digit = byte &- UInt8(ascii: "0")
                let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
                let (sum, more) = tens.addingReportingOverflow(Number(truncatingIfNeeded: digit))
                guard digit < 10, !overflow, !more else { return nil }
                value = sum
            }
            return value
        }
    }

    func moment(_ column: SampleColumn) throws(SamplesError) -> Timestamp? {
        try value(column, "no time such as 2026-11-21T03:35:12.123456Z") { Timestamp(utf8: $0) }
    }

    /// A time in milliseconds with any number of decimals, converted to nanoseconds.
    func milliseconds(_ column: SampleColumn) throws(SamplesError) -> Int64? {
        try value(column, "no number of milliseconds") { Self.nanoseconds(ofMilliseconds: $0) }
    }

    /// Converts milliseconds to nanoseconds; `nil` if the text is not a time from 0 to
    /// ``Observation/longestTime``.
    static func nanoseconds(ofMilliseconds text: ArraySlice<UInt8>) -> Int64? {
        let value = nanoseconds(text) ?? roundedNanoseconds(text)
        return value.flatMap { $0 <= Observation.longestTime ? $0 : nil }
    }

    /// The value of a cell, converted by `read`. `fault` describes the error if the conversion fails.
    private func value<Value>(
        _ column: SampleColumn,
        _ fault: @autoclosure () -> String,
        read: (ArraySlice<UInt8>) -> Value?
    ) throws(SamplesError) -> Value? {
        guard let cell = self[column] else { return nil }
        guard let value = read(cell) else { throw invalid(column, fault()) }
        return value
    }

    func error(_ column: SampleColumn, _ reason: String) -> SamplesError {
        SamplesError(
            file: file,
            line: line,
            column: column.title,
            reason: reason,
            byte: byte
        )
    }

    /// The error for a cell whose content does not fit its column.
    func invalid(_ column: SampleColumn, _ reason: String) -> SamplesError {
        let text = (text(column) ?? "").cut(toCharacters: 80)
        return error(column, "'\(text)' is \(reason)")
    }

    /// The exact value of digits with at most six decimals; `nil` for any other text.
    private static func nanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        var decimals = -1
        var digits = 0
        for byte in cell {
            if byte == UInt8(ascii: "."), decimals < 0 {
                decimals = 0
                continue
            }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), digits < 17 else {
                return nil
            }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
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

    /// The rounded value of any other notation that programs write, such as `1.5e-3`.
    private static func roundedNanoseconds(_ cell: ArraySlice<UInt8>) -> Int64? {
        guard let number = Double(String(decoding: cell, as: UTF8.self)), number >= 0 else {
            return nil
        }
        return Int64(exactly: (number * 1_000_000).rounded())
    }
}
