/// Columns of text, as wide as what stands in them.
struct PlainTable {
    let rows: [[String]]

    init(_ rows: [[String]]) { self.rows = rows }

    /// A line a row, each ended, without spaces before that.
    var text: String {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.count)
            }
        }
        return rows.map { row in
            var line = zip(row, widths)
                .map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
