/// Reads comma-separated values (RFC 4180) with line feeds or CR LF. The header names the columns. Columns
/// may have any order, and unknown columns are ignored. Spreadsheets also separate cells by semicolons or
/// tabs, and may then write decimal commas.
struct CommaSeparatedReader: RowReader {
    private var lines: FileLines
    private var line: ArraySlice<UInt8> = []
    private var position = 0
    /// The line in which the row begins, and the size of its lines so far in bytes.
    private var firstLine = 0
    private var bytes = 0
    /// The column at each position in a row; `nil` before the header was read.
    private var columns: [SampleColumn?]?
    /// The byte between two cells.
    private var separator = Self.comma
    /// The first decimal mark in a file whose separator is not a comma: a comma or a point.
    private var decimalMark: UInt8?

    /// The maximum number of columns. Other programs may add columns, but very many would slow down each row.
    private static let mostColumns = 1000
    private static let comma = UInt8(ascii: ",")
    private static let point = UInt8(ascii: ".")
    /// The separators, in the order in which they are tried.
    private static let separators = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(_ lines: FileLines) { self.lines = lines }

    private mutating func readHeader() throws -> [SampleColumn?] {
        var names: [String] = []
        let first = try beginHeader()
        let line = max(1, lines.count)
        if let first {
            guard !first.contains(0) else {
                throw lines.error("is no UTF-8: save the file as CSV in UTF-8", line: line)
            }
            try beginRow(first)
            var isLast = false
            while !isLast {
                var name: [UInt8] = []
                isLast = try readCell { name.append($0) }
                names.append(String(decoding: name, as: UTF8.self))
                guard names.count <= Self.mostColumns else {
                    throw lines.error(
                        "the header has more than \(Self.mostColumns) columns",
                        line: line
                    )
                }
            }
        }
        let columns = names.map(SampleColumn.init(title:))
        for column in SampleColumn.allCases where columns.count(where: { $0 == column }) > 1 {
            throw lines.error("the header has this column twice", column, line: line)
        }
        for column in SampleColumn.required where !columns.contains(column) {
            throw lines.error(
                "the header lacks this column; a samples file begins with its header",
                column,
                line: line
            )
        }
        return columns
    }

    /// The first line of the header. Determines the separator: a preceding line such as `sep=;` names it, as
    /// in spreadsheets.
    private mutating func beginHeader() throws -> ArraySlice<UInt8>? {
        guard let first = try lines.next() else { return nil }
        func bare(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            text.filter { $0 != Self.quote && $0 != Self.carriageReturn }[...]
        }
        let mark = bare(first)
        if mark.count == 5, mark.starts(with: "sep=".utf8), let separator = mark.last,
            Self.separators.contains(separator)
        {
            self.separator = separator
            return try lines.next()
        }
        let known = Self.separators.map { separator in
            first.split(separator: separator).count {
                SampleColumn(title: String(decoding: bare($0), as: UTF8.self)) != nil
            }
        }
        separator =
            zip(Self.separators, known).first { $1 == known.max() }?.0 ?? Self.comma
        return first
    }

    mutating func next(into cells: inout SampleCells) throws -> Bool {
        let columns = try self.columns ?? readHeader()
        self.columns = columns
        repeat {
            guard let next = try lines.next() else { return false }
            try beginRow(next.drop { $0 == Self.carriageReturn })
        } while line.isEmpty
        cells.clear(line: lines.count)
        var count = 0
        var isLast = false
        while !isLast {
            guard count < columns.count else {
                throw lines.error(
                    "has more cells than the header, which has \(columns.count)",
                    line: cells.line
                )
            }
            if separator != Self.comma, let column = columns[count], column.isTime {
                var number: [UInt8] = []
                isLast = try readCell { number.append($0) }
                cells.append(try withPoint(number, of: column))
            } else {
                isLast = try readCell { cells.append($0) }
            }
            cells.endCell(of: columns[count], unguarded: true)
            count += 1
        }
        guard count == columns.count else {
            throw lines.error(
                "has \(count) cells where the header has \(columns.count)",
                line: cells.line
            )
        }
        return true
    }

    /// The number with a decimal point. A decimal comma is allowed if all numbers of the file have one.
    private mutating func withPoint(
        _ number: [UInt8],
        of column: SampleColumn
    ) throws(SamplesError) -> [UInt8] {
        let marks = number.filter { $0 == Self.comma || $0 == Self.point }
        guard let mark = marks.first else { return number }
        decimalMark = decimalMark ?? mark
        // Otherwise a thousands separator would be read as a decimal mark.
        guard marks.count == 1, mark == decimalMark else {
            throw lines.error(
                "has points and commas in its numbers: save it with decimal points, and without "
                    + "marks of thousands",
                column,
                line: lines.count
            )
        }
        return number.map { $0 == Self.comma ? Self.point : $0 }
    }

    private mutating func beginRow(_ line: ArraySlice<UInt8>) throws(SamplesError) {
        firstLine = lines.count
        bytes = 0
        try begin(line)
    }

    private mutating func begin(_ line: ArraySlice<UInt8>) throws(SamplesError) {
        bytes += line.count + 1
        guard bytes <= FileLines.longestRow else { throw lines.tooLong(firstLine) }
        self.line = line
        position = line.startIndex
    }

    /// Reads a cell and the separator after it. Returns `true` for the last cell of the row.
    private mutating func readCell(_ take: (UInt8) -> Void) throws -> Bool {
        if position < line.endIndex, line[position] == Self.quote { try readQuoted(take) }
        while position < line.endIndex {
            let byte = line[position]
            position += 1
            if byte == separator { return false }
            if byte != Self.carriageReturn || position < line.endIndex { take(byte) }
        }
        return true
    }

    /// Reads a quoted part, which may contain line ends.
    private mutating func readQuoted(_ take: (UInt8) -> Void) throws {
        let beginning = lines.count
        position += 1
        while true {
            while position < line.endIndex {
                let byte = line[position]
                position += 1
                if byte == Self.quote {
                    guard position < line.endIndex, line[position] == Self.quote else { return }
                    position += 1
                }
                take(byte)
            }
            guard let next = try lines.next() else {
                throw lines.error("a quoted cell does not end", line: beginning)
            }
            take(Self.lineFeed)
            try begin(next)
        }
    }
}
