import Analysis
import Samples
import Statistics

/// The rows of one series as a table of a page: ranks, times and losses with their intervals, and
/// what was found beside the baseline.
struct RankedRows {
    private let series: Series
    private let report: ComparisonReport
    private let groups: ResolverGroups
    private let rows: [ResolverRow]
    private let evidence: SeriesEvidence?
    /// Of the candidates.
    private let comparisons: [Recording.Target: Comparison]
    private let fastest: Set<Recording.Target>
    private let median: LatencyFormat
    private let p95: LatencyFormat
    private let opening: [OpeningColumn]

    init(of series: Series, in report: ComparisonReport) {
        self.series = series
        self.report = report
        groups = report.groups(of: series)
        rows = groups.rows
        let evidence = report.evidence(of: series)
        self.evidence = evidence
        comparisons = Dictionary(
            (evidence?.candidates ?? []).compactMap { candidate in
                report.row(ofTarget: candidate.target).map { ($0.target, candidate.comparison) }
            },
            uniquingKeysWith: { first, _ in first }
        )
        fastest = Set(Standing(of: rows).fastest.map(\.target))
        median = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        p95 = LatencyFormat(fitting: rows.compactMap(\.latency.p95))
        opening = OpeningColumn.all(of: rows)
    }

    private typealias Column = HTMLTable.Column
    private typealias Cell = HTMLTable.Cell

    var table: HTMLTable {
        let parts: [([Column], (ResolverRow) -> [Cell])] = [
            (rankColumns, ranks), (figureColumns, figures), (openingColumns, openings),
            (differenceColumns, differences),
        ]
        let wanted = parts.filter { !$0.0.isEmpty }
        var table = HTMLTable(
            caption:
                "\(groups.isGrouped ? "By resolver, the fastest first" : "Fastest first"), \(series.wording). Below each figure its 95 % interval\(shared).",
            columns: wanted.flatMap(\.0),
            rows: rows.map { row in wanted.flatMap { $0.1(row) } },
            isSortable: true
        )
        for (index, row) in rows.enumerated() where row.isBaseline {
            table.rowStyles[index] = "current"
        }
        return table
    }

    // MARK: - Columns

    private var rankColumns: [Column] {
        [Column("rank", isNumeric: true), Column("resolver", isHeading: true)]
            + (groups.isGrouped ? [Column("over")] : [])
    }

    private func ranks(_ row: ResolverRow) -> [Cell] {
        let note = RowNote(row, report.context).text
        // Whoever sorts the table tears the rows of a resolver apart.
        let name = groups.isGrouped ? row.target.label : row.name
        return [
            Cell(
                HTML(text: row.rankText),
                key: row.rank.map { Double($0.lowerBound + $0.upperBound) }
            ),
            Cell(
                HTML(text: name.truncatedInside(to: HTMLTable.longestName)),
                style: fastest.contains(row.target) ? "good" : nil,
                note: note.isEmpty ? nil : note
            ),
        ] + (groups.isGrouped ? [Cell(row.target.transport.description)] : [])
    }

    private var figureColumns: [Column] {
        ["median", "p95", "lost"].map { Column($0, isNumeric: true) }
    }

    private func figures(_ row: ResolverRow) -> [Cell] {
        let isFlagged = (1..<Caveat.queriesForP95).contains(row.latency.count)
        let rate = row.counts.failureRate
        var middle = time(row.latency.median, of: row, in: median)
        middle.note = row.medianIntervalText(in: median)
        return [
            middle,
            time(row.latency.p95, of: row, in: p95, mark: isFlagged ? "*" : ""),
            Cell(
                HTML(text: rate.description),
                key: rate.fraction,
                style: row.counts.lost > 0 ? "warning" : nil,
                note: row.failureIntervalText
            ),
        ]
    }

    private var openingColumns: [Column] { opening.map(\.heading) }

    private func openings(_ row: ResolverRow) -> [Cell] { opening.map { $0.htmlCell(row) } }

    private func time(
        _ value: Double?,
        of row: ResolverRow,
        in format: LatencyFormat,
        mark: String = ""
    ) -> Cell {
        let isBeyond = value == nil && row.latency.count > 0
        return Cell(
            HTML(text: row.quantile(value, in: format) + mark),
            key: value ?? (isBeyond ? .infinity : nil)
        )
    }

    // MARK: - Beside the baseline

    private var baseline: ResolverRow? {
        guard let evidence, evidence.isTested else { return nil }
        return evidence.baseline.flatMap(report.row)
    }

    /// Where several are compared at once, their intervals are wider, so that all of them hold.
    private var shared: String {
        guard baseline != nil, let confidence = evidence?.candidates.first?.comparison.confidence,
            evidence?.candidates.count ?? 0 > 1
        else { return "" }
        return ", below each difference that to \(DifferenceWords.percent(confidence))"
    }

    private var differenceColumns: [Column] {
        guard let baseline else { return [] }
        return [
            Column("than \(baseline.name)", isNumeric: true), Column("verdict"),
        ]
    }

    private func differences(_ row: ResolverRow) -> [Cell] {
        guard let comparison = comparisons[row.target] else { return ["", ""] }
        let words = DifferenceWords(format: median)
        let difference = comparison.medianDifference
        return [
            Cell(
                HTML(text: difference.map(words.difference) ?? "–"),
                key: difference.map { -$0 },
                note: words.span(comparison.interval)
            ),
            Cell(comparison.verdict.words, style: comparison.verdict == .switch ? "good" : nil),
        ]
    }
}

extension ResolverRow {
    /// Such as `13.9 to 14.6 ms`; `nil` where there is none.
    func medianIntervalText(in format: LatencyFormat) -> String? {
        guard let interval = medianInterval else { return nil }
        let low = format.number(interval.lowerBound)
        return interval.upperBound.isFinite
            ? "\(low) to \(format.cell(interval.upperBound))" : "\(low) ms or more"
    }

    /// Such as `0.2 to 10.4 %`; `nil` where nothing was measured.
    var failureIntervalText: String? {
        guard counts.measured > 0 else { return nil }
        let percent = [failureInterval.lowerBound, failureInterval.upperBound]
            .map { ($0 * 100).fixed(1) }
        return "\(percent[0]) to \(percent[1]) %"
    }
}

extension OpeningColumn {
    var heading: HTMLTable.Column { HTMLTable.Column(header, isNumeric: true) }

    func htmlCell(_ row: ResolverRow) -> HTMLTable.Cell {
        guard let parts = row.connections?.parts else { return "–" }
        return HTMLTable.Cell(HTML(text: cell(parts)), key: value(parts))
    }
}

extension Verdict {
    /// In a cell of a table.
    var words: String {
        switch self {
        case .switch: "switch"
        case .keep: "keep"
        case .tooClose: "too close to call"
        case .undecided: "undecided"
        }
    }
}
