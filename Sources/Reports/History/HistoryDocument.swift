import Charts

/// A report over a window in the parts that every format has: words, a table, notes.
struct HistoryDocument {
    struct Column {
        var header: String
        /// As they came; each format escapes them.
        var cells: [String]
        var alignment = TextColumn.Alignment.left
        /// Columns go where there is no room for them, the highest number first; 0 stays.
        var dispensability = 0
        /// Intervals to 95 %, for those who have room for them.
        var intervals: [String?] = []
        /// Whether a cell that repeats the one above stays empty where people read it.
        var isGrouping = false
        /// Rows whose cell stays empty where people read it, since they go on with the row above.
        var continued: [Bool] = []
        /// Whether it is a part of first queries' times.
        var isOpening = false
    }

    /// The finding first.
    var words: [String]
    var columns: [Column]
    /// Rows of first queries, whose parts have lines of their own in a text.
    var openings: [ResolverRow] = []
    /// What encryption costs: a sentence each.
    var encryption: [String] = []
    var notes: [HistoryNote]
    /// Where the figures are from.
    var provenance: String
    /// All figures, the header first.
    var csv: [[CSVCell]]
    var json: JSONValue

    /// `nil` for a format of pictures.
    func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        switch format {
        case .text: text(width: max(20, width), colour: colour)
        case .csv: csv.map { $0.map(\.csv).joined(separator: ",") + "\n" }.joined()
        case .json: json.text() + "\n"
        case .markdown: markdown
        case .html: page(PageExtras()).text
        case .svg: nil
        }
    }

    private func text(width: Int, colour: Bool) -> String {
        let prose = min(width, 100)
        let lines = words.map(EscapedText.terminal)
        let headline = (lines.first ?? "").wrapped(to: prose)
            .map { StyledText(text: $0, style: .strong).rendered(colour: colour) }
        let rest = lines.dropFirst().flatMap { $0.wrapped(to: prose) }
        let table = columns.isEmpty ? [] : TextColumn.lines(fitting(width), colour: colour)
        let parts = OpeningTable(rows: openings, width: width).lines
        let costs = encryption.flatMap { EscapedText.terminal($0).wrapped(to: prose) }
        let remarks = notes.flatMap { "Note: \($0.text)".wrapped(to: prose, indent: "      ") }
        let blocks = [headline + rest, table, parts, costs, remarks, provenance.wrapped(to: prose)]
        return blocks.filter { !$0.isEmpty }.joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    /// As many columns as there is room for; where even those that stay are too wide, the texts
    /// among them lose their ends.
    private func fitting(_ width: Int) -> [TextColumn] {
        var kept = openings.isEmpty ? columns : columns.filter { !$0.isOpening }
        func built() -> [TextColumn] {
            kept.map { column in
                TextColumn(
                    column.header,
                    column.shown.map(EscapedText.terminal),
                    alignment: column.alignment
                )
            }
        }
        while TextColumn.width(of: built()) > width,
            let worst = kept.map(\.dispensability).max(), worst > 0,
            let index = kept.lastIndex(where: { $0.dispensability == worst })
        {
            // One part of a time says nothing without the others.
            if kept[index].isOpening {
                kept.removeAll(where: \.isOpening)
            } else {
                kept.remove(at: index)
            }
        }
        var result = built()
        while TextColumn.width(of: result) > width,
            let index = result.indices.filter({ result[$0].alignment == .left })
                .max(by: { result[$0].width < result[$1].width }), result[index].width > 3
        {
            result[index] = result[index].limited(to: result[index].width - 1)
        }
        return result
    }

    private var markdown: String {
        var paragraphs = words.map(EscapedText.markdown)
        if let first = paragraphs.first { paragraphs[0] = "**\(first)**" }
        var blocks = [paragraphs.joined(separator: "\n")]
        if !columns.isEmpty {
            let head = [
                columns.map { EscapedText.markdown($0.header) },
                columns.map { $0.alignment == .left ? ":--" : "--:" },
            ]
            let cells = columns.map(\.withoutContinued)
            let body = (0..<(cells.map(\.count).max() ?? 0)).map { row in
                cells.map { row < $0.count ? EscapedText.markdown($0[row]) : "" }
            }
            let lines = (head + body).map { "| " + $0.joined(separator: " | ") + " |" }
            blocks.append(lines.joined(separator: "\n"))
        }
        blocks += encryption.map(EscapedText.markdown)
        if !notes.isEmpty {
            let lines = notes.map { "- " + EscapedText.markdown($0.text) }
            blocks.append(lines.joined(separator: "\n"))
        }
        blocks.append(EscapedText.markdown(provenance))
        return blocks.joined(separator: "\n\n") + "\n"
    }
}

extension HistoryDocument.Column {
    /// The cells as a terminal shows them.
    fileprivate var shown: [String] {
        guard isGrouping else { return withoutContinued }
        return cells.indices.map { $0 > 0 && cells[$0] == cells[$0 - 1] ? "" : cells[$0] }
    }

    fileprivate var withoutContinued: [String] {
        zip(cells, continued + [Bool](repeating: false, count: cells.count))
            .map { $1 ? "" : $0 }
    }
}

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
