/// Rows of a samples file as they grow, in one of its formats.
struct SampleRow {
    var bytes: [UInt8] = []
    private let format: SamplesFormat

    init(_ format: SamplesFormat) { self.format = format }

    /// Some cells of a row on their own.
    static func cells(_ format: SamplesFormat, _ fill: (inout SampleRow) -> Void) -> [UInt8] {
        var row = SampleRow(format)
        fill(&row)
        return row.bytes
    }

    /// The names of the columns, where the format has them apart.
    mutating func appendHeader() {
        guard format == .csv else { return }
        bytes += SampleColumn.allCases.map(\.title).joined(separator: ",").utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func endRow() {
        if format == .jsonLines { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func append(text: String?, to column: SampleColumn) {
        begin(column)
        guard let text else { return appendUnknown() }
        switch format {
        case .csv: bytes.append(csvCell: text)
        case .jsonLines: bytes.append(jsonString: text)
        }
    }

    /// Adds a word of a closed set, which needs no escapes.
    mutating func append(word: (some CustomStringConvertible)?, to column: SampleColumn) {
        begin(column)
        guard let word else { return appendUnknown() }
        if format == .jsonLines { bytes.append(UInt8(ascii: "\"")) }
        bytes += word.description.utf8
        if format == .jsonLines { bytes.append(UInt8(ascii: "\"")) }
    }

    mutating func append(number: (some FixedWidthInteger)?, to column: SampleColumn) {
        begin(column)
        guard let number else { return appendUnknown() }
        bytes.append(decimal: number)
    }

    mutating func append(milliseconds nanoseconds: Int64?, to column: SampleColumn) {
        begin(column)
        guard let nanoseconds else { return appendUnknown() }
        bytes.append(milliseconds: nanoseconds)
    }

    mutating func append(moment: Timestamp?, to column: SampleColumn) {
        begin(column)
        guard let moment else { return appendUnknown() }
        if format == .jsonLines { bytes.append(UInt8(ascii: "\"")) }
        moment.append(to: &bytes)
        if format == .jsonLines { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func begin(_ column: SampleColumn) {
        switch format {
        case .csv: if column != .run { bytes.append(UInt8(ascii: ",")) }
        case .jsonLines: bytes += Self.keys[column.rawValue]
        }
    }

    private mutating func appendUnknown() {
        if format == .jsonLines { bytes += Self.null }
    }

    private static let null = Array("null".utf8)
    private static let keys = SampleColumn.allCases.map { column in
        Array("\(column == .run ? "{" : ",")\"\(column.title)\":".utf8)
    }
}
