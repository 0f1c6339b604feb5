import Charts

extension HistoryDocument {
    /// The page of a report over a window.
    func page(_ extras: PageExtras) -> HTMLPage {
        let headline = words.first ?? "Nothing was measured."
        let answer = PageFragments.answer(headline, details: Array(words.dropFirst()))
        var page = ReportPage(
            title: headline,
            answer: [answer, table] + PageFragments.encryption(encryption),
            provenance: provenance
        )
        page.charts = extras.charts
        page.caveats = notes.map(\.text)
        page.method = [
            HTML(.p, HTML(text: Self.method))
        ]
        page.details = [PageFragments.allFigures(csv)]
        page.methodHeading = "What the figures mean"
        page.command = extras.command
        page.commandHeading = extras.commandHeading
        return page.page
    }

    private static let method =
        "The median is the time within which half of the queries were answered, p95 that of 95 in "
        + "100. A query without a useful answer is lost, and counts as slower than all others. "
        + "Rounds in which there was no way to any resolver are left out."

    private var table: HTML {
        let count = columns.map(\.cells.count).max() ?? 0
        guard count > 0 else { return .nothing }
        let hasIntervals = columns.contains { $0.intervals.contains { $0 != nil } }
        return HTMLTable(
            caption: hasIntervals ? "Below a figure its 95 % interval." : nil,
            columns: columns.map { column in
                HTMLTable.Column(
                    column.header,
                    isNumeric: column.alignment == .right,
                    isHeading: column.header == "resolver"
                )
            },
            rows: (0..<count).map { row in columns.map { $0.cell(row) } },
            isSortable: true
        ).html
    }
}

extension HistoryDocument.Column {
    fileprivate func cell(_ row: Int) -> HTMLTable.Cell {
        guard cells.indices.contains(row) else { return "" }
        var cell = HTMLTable.Cell(cells[row].truncatedInside(to: HTMLTable.longestName))
        cell.note = intervals.indices.contains(row) ? intervals[row] : nil
        return cell
    }
}
