import Reports
import Samples

/// Columns of text, as wide as what stands in them, which is made harmless for a terminal.
enum PlainTable {
    /// A line for each of `rows`, which are equally long, each ended, without spaces before that.
    static func text(_ rows: [[String]]) -> String {
        let rows = rows.map { $0.map(EscapedText.terminal) }
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].displayWidth }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(to: $1) }
            return cells.joined(separator: "  ").trimmedAtEnd + "\n"
        }.joined()
    }
}
