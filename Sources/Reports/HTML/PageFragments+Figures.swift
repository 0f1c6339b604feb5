extension PageFragments {
    /// The table for spreadsheets, folded away, every column of which sorts.
    static func allFigures(_ cells: [[CSVCell]]) -> HTML {
        guard let header = cells.first, cells.count > 1 else { return .nothing }
        let rows = cells.dropFirst()
        let columns = header.indices.map { index in
            let texts = rows.compactMap { index < $0.count ? $0[index].text : nil }
            let figures = texts.filter { !$0.isEmpty }
            return HTMLTable.Column(
                header[index].text,
                isNumeric: !figures.isEmpty && figures.allSatisfy { Double($0) != nil },
                isHeading: ["name", "group"].contains(header[index].text)
            )
        }
        let table = HTMLTable(
            caption: "Times in milliseconds; an empty cell where there is no figure.",
            columns: columns,
            rows: rows.map { row in
                row.enumerated().map { index, cell in
                    let isHeading = index < columns.count && columns[index].isHeading
                    return HTMLTable.Cell(
                        isHeading
                            ? cell.text.truncatedInside(to: HTMLTable.longestName) : cell.text
                    )
                }
            },
            isSortable: true
        )
        let count = rows.count.of("row", "rows")
        return HTML(
            .div,
            [.class("raw")],
            folded("\(count) of \(columns.count) columns", [table.html])
        )
    }
}
