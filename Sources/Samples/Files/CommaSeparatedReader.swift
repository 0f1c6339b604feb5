/// Takes comma-separated values apart (RFC 4180), with line feeds or CR LF, by the names in the
/// header: columns come in any order, and unknown ones are passed over.
struct CommaSeparatedReader: RowReader {
    private var lines: FileLines
    private var line: ArraySlice<UInt8> = []
    private var position = 0
    /// The line in which the row begins, and the octets of its lines until now.
    private var firstLine = 0
    private var octets = 0
    /// For each place in a row the column that stands there; `nil` until the header was read.
    private var columns: [SampleColumn?]?

    /// Others may add theirs, but not so many that each row costs.
    private static let mostColumns = 1000
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    init(_ lines: FileLines) { self.lines = lines }

    private mutating func readHeader() throws -> [SampleColumn?] {
        var names: [String] = []
        if let first = try lines.next() {
            try beginRow(first)
            var isLast = false
            while !isLast {
                var name: [UInt8] = []
                isLast = try readCell { name.append($0) }
                names.append(String(decoding: name, as: UTF8.self))
                guard names.count <= Self.mostColumns else {
                    throw error("the header has more than \(Self.mostColumns) columns", line: 1)
                }
            }
        }
        let columns = names.map(SampleColumn.init(title:))
        for column in SampleColumn.allCases where columns.count(where: { $0 == column }) > 1 {
            throw error("the header has this column twice", column, line: 1)
        }
        for column in SampleColumn.required where !columns.contains(column) {
            throw error(
                "the header lacks this column; a samples file begins with its header",
                column,
                line: 1
            )
        }
        return columns
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
                throw error(
                    "has more cells than the header, which has \(columns.count)",
                    line: cells.line
                )
            }
            isLast = try readCell { cells.append($0) }
            cells.endCell(of: columns[count], unguarded: true)
            count += 1
        }
        guard count == columns.count else {
            throw error(
                "has \(count) cells where the header has \(columns.count)",
                line: cells.line
            )
        }
        return true
    }

    private mutating func beginRow(_ line: ArraySlice<UInt8>) throws(SamplesError) {
        firstLine = lines.count
        octets = 0
        try begin(line)
    }

    private mutating func begin(_ line: ArraySlice<UInt8>) throws(SamplesError) {
        octets += line.count + 1
        guard octets <= FileLines.longestRow else { throw lines.tooLong(firstLine) }
        self.line = line
        position = line.startIndex
    }

    /// Reads a cell with what ends it; `true` for the last of its row.
    private mutating func readCell(_ take: (UInt8) -> Void) throws -> Bool {
        if position < line.endIndex, line[position] == Self.quote { try readQuoted(take) }
        while position < line.endIndex {
            let octet = line[position]
            position += 1
            if octet == Self.comma { return false }
            if octet != Self.carriageReturn || position < line.endIndex { take(octet) }
        }
        return true
    }

    /// Reads what is quoted, in which lines may end.
    private mutating func readQuoted(_ take: (UInt8) -> Void) throws {
        let beginning = lines.count
        position += 1
        while true {
            while position < line.endIndex {
                let octet = line[position]
                position += 1
                if octet == Self.quote {
                    guard position < line.endIndex, line[position] == Self.quote else { return }
                    position += 1
                }
                take(octet)
            }
            guard let next = try lines.next() else {
                throw error("a quoted cell does not end", line: beginning)
            }
            take(Self.lineFeed)
            try begin(next)
        }
    }

    private func error(_ reason: String, _ column: SampleColumn? = nil, line: Int) -> SamplesError {
        SamplesError(file: lines.file, line: line, column: column?.title, reason: reason)
    }
}
