import Analysis
import Samples
import Statistics

extension WindowReport {
    /// The longest name of a resolver that leaves room for the figures of others.
    private static let longestName = 24

    /// A table with one row per time and one column per resolver.
    var pivot: Table {
        let groups = rows.map(\.group).uniqued
        let format = LatencyFormat(fitting: rows.compactMap(\.figures.latency.median))
        let best = lowest(in: format)
        let columns = byResolver.enumerated().map { index, rows in
            let found = Dictionary(rows.map { ($0.group, $0) }) { first, _ in first }
            let cells = groups.map { group in
                found[group].map { PivotColumn.Cell($0, format, lowest: best[$0.spot]) }
            }
            let name = label(rows[0].figures.name, of: rows[0].figures)
            return PivotColumn(name: name, cells: cells)
                .columns(drop: index, nameLimit: Self.longestName)
        }
        let times = Table.Column(grouping.rawValue, groups.map(\.title), .heading)
        var table = Table([times] + columns.joined())
        let isLossy = rows.contains { $0.figures.failedShare.part > 0 }
        let noun = FailureNoun(of: rows.map(\.figures.counts)).text
        let mark = best.isEmpty ? [] : ["* lowest median of the row"]
        let loss = isLossy ? ["below it \(noun)"] : []
        table.caption = (["Median of each resolver"] + mark + loss).joined(separator: "; ") + "."
        let count = columns.count
        table.footnotes = { leftOut in
            guard leftOut > 0 else { return mark }
            return mark + [
                "\(leftOut) of \(count) resolvers \(leftOut == 1 ? "does" : "do") not fit: choose with --resolver LABEL, or see all "
                    + "with -o report.html"
            ]
        }
        return table
    }

    /// The lowest displayed median of each time and series, unless all resolvers have it.
    private func lowest(in format: LatencyFormat) -> [Row.Spot: String] {
        Dictionary(grouping: rows, by: \.spot).compactMapValues { rows in
            let lowest = rows.compactMap(\.figures.latency.median).min().map(format.number)
            return rows.allSatisfy { $0.number(format) == lowest } ? nil : lowest
        }
    }
}

extension WindowReport.Row {
    fileprivate struct Spot: Hashable {
        var group: WindowGroup
        var series: Series
    }

    fileprivate var spot: Spot { Spot(group: group, series: figures.target.series) }

    fileprivate func number(_ format: LatencyFormat) -> String? {
        figures.latency.median.map(format.number)
    }
}

/// The medians of a resolver, with the failures if there are any.
private struct PivotColumn {
    struct Cell {
        var time: String
        var median: Double?
        var failed: String?
        var isLowest: Bool
        var failsOften: Bool

        init(_ row: WindowReport.Row, _ format: LatencyFormat, lowest: String?) {
            let figures = row.figures
            median = figures.latency.median
            time = figures.latency.text(median, in: format)
            failed = figures.failedShare.part > 0 ? figures.failedShare.description : nil
            isLowest = lowest != nil && row.number(format) == lowest
            failsOften = figures.failedShare.isHigh
        }

        var style: StyledText.Style { failsOften ? .warning : isLowest ? .good : .plain }
    }

    var name: String
    /// `nil` if nothing was measured.
    var cells: [Cell?]

    /// One column per medium.
    func columns(drop: Int, nameLimit: Int) -> [Table.Column] {
        [text(nameLimit), markdown, page].map { column in
            var column = column
            column.drop = drop
            return column
        }
    }

    private var page: Table.Column {
        column(name, in: .page) { cell in
            Table.Cell(
                cell.time + (cell.isLowest ? "*" : ""),
                key: cell.median ?? .infinity,
                note: cell.failed.map { "\($0) failed" },
                style: cell.style
            )
        }
    }

    private var markdown: Table.Column {
        column(name, in: .markdown) { cell in
            Table.Cell(
                cell.time + (cell.isLowest ? "\\*" : "")
                    + (cell.failed.map { " (\($0) failed)" } ?? "")
            )
        }
    }

    /// Marks and failures are aligned.
    private func text(_ nameLimit: Int) -> Table.Column {
        let name = EscapedText.terminal(name).truncatedInside(to: nameLimit)
        let known = cells.compactMap(\.self)
        let mark = known.contains(where: \.isLowest) ? 1 : 0
        let failures = known.compactMap(\.failed)
        let failedWidth =
            failures.isEmpty ? 0 : (failures + ["failed"]).map(\.displayWidth).max() ?? 0
        func line(_ time: String, _ star: String, _ failed: String) -> String {
            let time = time + star.padded(to: mark)
            return failures.isEmpty
                ? time : time + "  " + failed.padded(to: failedWidth, atEnd: false)
        }
        return column(line(name, "", "failed"), in: .text, none: line("–", "", "")) { cell in
            Table.Cell(
                line(cell.time, cell.isLowest ? "*" : "", cell.failed ?? ""),
                style: cell.style
            )
        }
    }

    private func column(
        _ header: String,
        in medium: Table.Medium,
        none: String = "–",
        _ written: (Cell) -> Table.Cell
    ) -> Table.Column {
        Table.Column(header, cells.map { $0.map(written) ?? Table.Cell(none) }, .figures)
            .shown(in: [medium])
    }
}
