import Samples

/// The report for a terminal and for text files: the finding in words, the table, what to know
/// about it, and the next command.
package struct TextTable: ReportFormat {
    /// Columns that there are.
    package let width: Int
    /// Longer lines are hard to read.
    private let proseWidth: Int
    /// Whether escape sequences may add colour.
    package let colour: Bool
    /// Whether every statistic is shown, and where, when and how it was measured.
    package let isVerbose: Bool

    package init(width: Int = 80, colour: Bool = false, isVerbose: Bool = false) {
        self.width = max(20, width)
        proseWidth = min(self.width, 100)
        self.colour = colour
        self.isVerbose = isVerbose
    }

    package func render(_ report: ComparisonReport) -> String {
        let sections =
            report.series.isEmpty
            ? [["No resolver was measured."]] : report.series.flatMap { section($0, of: report) }
        let surroundings = report.surroundings
            .flatMap { $0.wrapped(to: proseWidth) }
        let blocks =
            sections + [
                report.encryptionWords().flatMap { $0.wrapped(to: proseWidth) }, advice(of: report),
                surroundings, floors(of: report),
                instrument(of: report), caveats(of: report),
                origin(of: report),
                next(after: report),
            ]
        return blocks.filter { !$0.isEmpty }.joined(separator: [""]).map { $0 + "\n" }.joined()
    }

    private func section(_ series: Series, of report: ComparisonReport) -> [[String]] {
        let finding = Finding(in: series, of: report)
        let groups = report.groups(of: series)
        let rows = groups.rows
        let headline = finding.headline.wrapped(to: proseWidth)
            .map { StyledText(text: $0, style: .strong).rendered(colour: colour) }
        let words =
            headline + finding.scope.wrapped(to: proseWidth)
            + finding.details.joined(separator: " ").wrapped(to: proseWidth)
        let table = RankingTable(
            groups: groups,
            context: report.context,
            width: width,
            colour: colour
        )
        let statistics = isVerbose ? StatisticsTable(rows: rows, width: width).lines : []
        return [words, table.lines, OpeningTable(rows: rows, width: width).lines, statistics]
    }

    private func floors(of report: ComparisonReport) -> [String] {
        isVerbose ? FloorLines(of: report).lines(width: proseWidth) : []
    }

    private func instrument(of report: ComparisonReport) -> [String] {
        isVerbose ? InstrumentLines(of: report).lines(width: proseWidth) : []
    }

    /// Where a switch is advised in the first series, or all is to be shown.
    private func advice(of report: ComparisonReport) -> [String] {
        guard let advice = report.series.first.flatMap({ Advice(in: $0, of: report) }),
            advice.isSwitch || isVerbose
        else { return [] }
        return advice.lines(width: proseWidth)
    }

    /// A star refers to the table's.
    private func caveats(of report: ComparisonReport) -> [String] {
        report.caveats(withP99: isVerbose).flatMap { caveat in
            switch caveat {
            case .fewSamples: "* \(caveat.text)".wrapped(to: proseWidth, indent: "  ")
            default: "Note: \(caveat.text)".wrapped(to: proseWidth, indent: "      ")
            }
        }
    }

    private func origin(of report: ComparisonReport) -> [String] {
        guard isVerbose else { return [] }
        let timeout = LatencyFormat.plain(report.context.plan.timeout.milliseconds)
        let mean =
            "Mean counts a query that was lost as the timeout, \(timeout); min, max, sd and "
            + "jitter are of answers only."
        return [mean, report.provenance].flatMap { $0.wrapped(to: proseWidth) }
    }

    /// On one line where that has room for the command, which else begins its own.
    private func next(after report: ComparisonReport) -> [String] {
        var sentences: [String] = []
        if !report.series.contains(.uncached) {
            sentences.append("Not tested: \(Series.uncached.wording).")
        }
        if let command = report.context.command, report.context.proposesCharts {
            sentences.append("See the charts: \(EscapedText.terminal(command)) -o charts.svg")
        }
        let line = sentences.joined(separator: " ")
        if sentences.isEmpty { return [] }
        return line.displayWidth <= width
            ? [line] : sentences.flatMap { $0.wrapped(to: proseWidth) }
    }
}

/// One column of a table of text.
struct TextColumn {
    enum Alignment { case left, right }

    var header: String
    var cells: [StyledText]
    var alignment = Alignment.left
    /// In terminal columns.
    var width: Int

    /// As wide as its widest text.
    init(_ header: String, _ cells: [StyledText], alignment: Alignment = .left) {
        self.header = header
        self.cells = cells
        self.alignment = alignment
        width = (cells.map(\.text) + [header]).map(\.displayWidth).max() ?? 0
    }

    /// Cells of plain text.
    init(_ header: String, _ texts: [String], alignment: Alignment = .left) {
        self.init(header, texts.map { StyledText(text: $0) }, alignment: alignment)
    }

    /// No wider than `limit`; texts that are longer lose their end.
    func limited(to limit: Int) -> TextColumn {
        guard width > limit else { return self }
        var column = self
        column.width = max(0, limit)
        column.header = header.truncated(to: column.width)
        for index in cells.indices {
            column.cells[index].text = cells[index].text.truncated(to: column.width)
        }
        return column
    }

    /// The lines of a table: the header, then a line a row, without spaces at their ends.
    static func lines(_ columns: [TextColumn], colour: Bool) -> [String] {
        let headers = columns.map { column in
            StyledText(text: column.header, style: .faint)
                .rendered(to: column.width, atEnd: column.alignment == .left, colour: colour)
        }
        let rows = (0..<(columns.map(\.cells.count).max() ?? 0)).map { row in
            columns.map { column in
                let cell = row < column.cells.count ? column.cells[row] : StyledText(text: "")
                return cell.rendered(
                    to: column.width,
                    atEnd: column.alignment == .left,
                    colour: colour
                )
            }
        }
        return ([headers] + rows).map { (indent + $0.joined(separator: gap)).trimmedAtEnd }
    }

    static let indent = "  "
    static let gap = "  "

    /// What a table of `columns` takes.
    static func width(of columns: [TextColumn]) -> Int {
        columns.reduce(indent.count) { $0 + $1.width } + gap.count * max(0, columns.count - 1)
    }
}

extension String {
    /// Without the spaces at its end.
    var trimmedAtEnd: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }

    /// At most `width` columns, an ellipsis in the middle where it was longer: the ends of
    /// addresses are what tells them apart.
    func truncatedInside(to width: Int) -> String {
        guard displayWidth > width else { return self }
        guard width > 3 else { return truncated(to: width) }
        let end = String(suffix((width - 1) / 2))
        let start = truncated(to: width - end.displayWidth)
        return (start + end).displayWidth > width ? truncated(to: width) : start + end
    }
}
