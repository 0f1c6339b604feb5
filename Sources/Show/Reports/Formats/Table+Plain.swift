import Samples

extension Table {
    /// One sentence per row: the names, then each figure after the header of its column, and remarks.
    func sentences(width: Int) -> [String] {
        let shown = columns(in: .text).filter { $0.bars == nil }
        return (0..<rowCount).flatMap { row in
            Self.sentence(row, shown).wrapped(to: width, indent: TextColumn.indent)
        }
    }

    private static func sentence(_ row: Int, _ columns: [Column]) -> String {
        var (names, facts): ([String], [String]) = ([], [])
        for column in columns where column.cells.indices.contains(row) {
            let cell = column.cells[row]
            let text = spoken(EscapedText.terminal(cell.text))
            guard !text.isEmpty, text != "–" else { continue }
            switch column.kind {
            case .heading: names.append(text)
            case .words where column.joinsHeading: names.append(text)
            case .remarks: facts.append(text)
            case .words, .figures:
                let header = EscapedText.terminal(column.header)
                facts.append(
                    (header.isEmpty ? text : "\(header) \(text)")
                        + (cell.isFlagged ? " (few queries)" : "")
                )
            }
        }
        return [names.joined(separator: " "), facts.joined(separator: ", ")]
            .filter { !$0.isEmpty }.joined(separator: ": ") + "."
    }

    /// The text with ranges in words: `1 to 4` instead of `1–4`.
    private static func spoken(_ text: String) -> String {
        let parts = text.split(separator: "–", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { spoken, part in
            let isRange = spoken.last?.isNumber == true && part.first?.isNumber == true
            return spoken + (isRange ? " to " : "–") + part
        }
    }
}
