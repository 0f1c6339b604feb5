/// Takes comma-separated values apart (RFC 4180), with line feeds or CR LF, by the names in the
/// header: columns come in any order, and unknown ones are passed over.
struct CommaSeparatedReader {
    private var bytes: [UInt8]
    private let file: String
    private var position = 0
    private(set) var line = 1
    /// For each place in a row the column that stands there.
    private var columns: [SampleColumn?] = []

    /// Others may add theirs, but not so many that each row costs.
    private static let mostColumns = 1000
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Reads the header.
    init(_ bytes: [UInt8], file: String) throws(SamplesError) {
        self.bytes = bytes
        self.file = file
        // Spreadsheets put a byte order mark before UTF-8.
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
        var names: [String] = []
        var name: [UInt8] = []
        while position < bytes.count {
            let isLast = try readCell { name.append($0) }
            names.append(String(decoding: name, as: UTF8.self))
            name = []
            if isLast { break }
        }
        guard names.count <= Self.mostColumns else {
            throw SamplesError(
                file: file,
                line: 1,
                reason: "the header has more than \(Self.mostColumns) columns"
            )
        }
        columns = names.map(SampleColumn.init(title:))
        for column in SampleColumn.allCases where columns.count(where: { $0 == column }) > 1 {
            throw SamplesError(
                file: file,
                line: 1,
                column: column.title,
                reason: "the header has this column twice"
            )
        }
        for column in SampleColumn.required where !columns.contains(column) {
            throw SamplesError(
                file: file,
                line: 1,
                column: column.title,
                reason: "the header lacks this column; a samples file begins with its header"
            )
        }
    }

    /// Goes on with the rows in `bytes`, which follow those that were read.
    mutating func proceed(to bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
    }

    /// Reads the next row that is not empty; `false` at the end.
    mutating func next(into cells: inout SampleCells) throws(SamplesError) -> Bool {
        while position < bytes.count,
            bytes[position] == Self.lineFeed || bytes[position] == Self.carriageReturn
        {
            if bytes[position] == Self.lineFeed { line += 1 }
            position += 1
        }
        guard position < bytes.count else { return false }
        cells.clear(line: line)
        var count = 0
        var isLast = false
        while !isLast {
            isLast = try readCell { cells.append($0) }
            let column = count < columns.count ? columns[count] : nil
            cells.endCell(of: column, unguarded: true)
            count += 1
        }
        guard count == columns.count else {
            throw SamplesError(
                file: file,
                line: cells.line,
                reason: "has \(count) cells where the header has \(columns.count)"
            )
        }
        return true
    }

    /// Reads a cell with what ends it; `true` for the last of its row.
    private mutating func readCell(_ take: (UInt8) -> Void) throws(SamplesError) -> Bool {
        if position < bytes.count, bytes[position] == Self.quote { try readQuoted(take) }
        while position < bytes.count {
            let octet = bytes[position]
            position += 1
            switch octet {
            case Self.comma: return false
            case Self.lineFeed:
                line += 1
                return true
            case Self.carriageReturn
            where position == bytes.count || bytes[position] == Self.lineFeed:
                continue
            default: take(octet)
            }
        }
        return true
    }

    private mutating func readQuoted(_ take: (UInt8) -> Void) throws(SamplesError) {
        let firstLine = line
        position += 1
        while position < bytes.count {
            let octet = bytes[position]
            position += 1
            if octet == Self.quote {
                guard position < bytes.count, bytes[position] == Self.quote else { return }
                position += 1
            } else if octet == Self.lineFeed {
                line += 1
            }
            take(octet)
        }
        throw SamplesError(file: file, line: firstLine, reason: "a quoted cell does not end")
    }
}
