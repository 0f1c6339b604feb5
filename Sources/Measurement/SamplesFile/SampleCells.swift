/// One row of a samples file, taken apart: for each column the octets of its cell.
struct SampleCells {
    var line = 0
    private(set) var bytes: [UInt8] = []
    private var ranges = [Range<Int>?](repeating: nil, count: SampleColumn.allCases.count)
    private var start = 0

    /// The octets of a cell; `nil` where the column is missing, or the cell is empty.
    subscript(column: SampleColumn) -> ArraySlice<UInt8>? {
        guard let range = ranges[column.rawValue], !range.isEmpty else { return nil }
        return bytes[range]
    }

    /// Whether the row has the column, were it empty.
    func has(_ column: SampleColumn) -> Bool { ranges[column.rawValue] != nil }

    mutating func clear(line: Int) {
        self.line = line
        bytes.removeAll(keepingCapacity: true)
        for index in ranges.indices { ranges[index] = nil }
        start = 0
    }

    mutating func append(_ octet: UInt8) { bytes.append(octet) }

    mutating func append(_ octets: some Sequence<UInt8>) { bytes.append(contentsOf: octets) }

    /// Ends the cell that grew since the last one ended; a column that nobody knows is dropped.
    /// `unguarded` takes off the apostrophe before what looks like a formula.
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
