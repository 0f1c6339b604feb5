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
