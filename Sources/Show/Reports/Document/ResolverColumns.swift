import Analysis
import Samples
import Statistics

protocol TimedRow {
    var latency: LatencySummary { get }
    /// The 95 % confidence interval of the median.
    var medianInterval: ClosedRange<Double>? { get }
    /// The share of failed queries among the queries that describe speed.
    var failedShare: Share { get }
    /// The 95 % confidence interval of the failed share; `nil` if it is not shown.
    var failureIntervalText: String? { get }
}

/// The columns of tables of resolvers. Each column is defined once.
struct ResolverColumns<Row: TimedRow> {
    let rows: [Row]

    private typealias Cell = Table.Cell
    typealias Column = Table.Column

    /// A column of quantiles. A quantile may lie among the timeouts. A star marks a quantile that
    /// has fewer than `needed` queries.
    func quantile(
        _ header: String,
        needed: Int = 1,
        drop: Int = 0,
        _ value: (Row) -> Double?
    ) -> Column {
        let format = LatencyFormat(fitting: rows.compactMap(value))
        return figures(header, drop: drop) { row in
            let isKnown = !row.latency.isOfFewRounds
            let isBeyond = value(row) == nil && row.latency.count > 0 && isKnown
            var cell = Cell(
                row.latency.text(value(row), in: format),
                key: value(row) ?? (isBeyond ? .infinity : nil)
            )
            cell.isFlagged = isKnown && (1..<needed).contains(row.latency.count)
            return cell
        }
    }

    /// A column of times; a dash for a missing time.
    func time(_ header: String, drop: Int = 0, _ value: (Row) -> Double?) -> Column {
        let format = LatencyFormat(fitting: rows.compactMap(value))
        return figures(header, drop: drop) { row in
            Cell(value(row).map(format.cell) ?? "–", key: value(row))
        }
    }

    func figures(_ header: String, drop: Int = 0, _ cell: (Row) -> Table.Cell) -> Column {
        Column(header, rows.map(cell), .figures, drop: drop)
    }

    var median: Column {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        var column = quantile("median", \.latency.median)
        for (index, row) in rows.enumerated() {
            column.cells[index].note = row.intervalText(in: format)
        }
        return column
    }

    var p95: Column { quantile("p95", needed: Warning.queriesForP95, drop: 2, \.latency.p95) }

    var p99: Column { quantile("p99", needed: Warning.queriesForP99, \.latency.p99) }

    var failed: Column { failed(in: [.text, .markdown, .page]) }

    /// The column of failed shares. On a page it is next to the median, so that a phone shows both.
    func failed(in media: Set<Table.Medium>) -> Column {
        figures("failed", drop: 1) { row in
            let share = row.failedShare
            return Cell(
                share.description,
                key: share.fraction,
                note: row.failureIntervalText,
                style: share.isHigh ? .warning : .plain
            )
        }
        .shown(in: media)
    }
}

extension ResolverColumns where Row == ResolverSummary {
    func count(_ header: String, drop: Int = 0, _ value: (OutcomeCounts) -> Int) -> Column {
        figures(header, drop: drop) { Cell("\(value($0.counts))") }
    }

    /// The column of the rounds with an answer; empty if each known round has one.
    var availability: [Column] {
        guard rows.contains(where: { $0.availability.map { $0.dead > 0 } == true }) else {
            return []
        }
        return [
            figures("availability", drop: 3) { row in
                Cell(row.availability?.percent ?? "–", key: row.availability?.share)
            }
        ]
    }

    var over: Column { Column("over", rows.map(\.target.transport.description)) }

    /// The columns of the parts of first queries; empty if no connection was opened.
    func parts(drop: Int = 0, none: String = "–") -> [Column] {
        guard rows.contains(where: { $0.parts != nil }) else { return [] }
        let parts: [(String, (ConnectionTally.Parts) -> Double?)] = [
            ("connect", { $0.connect }), ("handshake", { $0.handshake }), ("query", { $0.query }),
        ]
        return parts.map { header, value in
            var column = time(header, drop: drop) { $0.parts.flatMap(value) }
            for (index, row) in rows.enumerated() where row.parts == nil {
                column.cells[index].text = none
            }
            column.isPart = true
            return column
        }
    }

    func remarks(_ context: ReportContext? = nil, header: String = "remarks") -> Column {
        Column(header, rows.map { $0.remarks(context) }, .remarks)
    }
}

extension TimedRow {
    /// A text such as `13.9 to 14.6 ms`; `nil` without an interval.
    func intervalText(in format: LatencyFormat) -> String? {
        guard let interval = medianInterval, interval.lowerBound.isFinite else { return nil }
        let low = format.number(interval.lowerBound)
        return interval.upperBound.isFinite
            ? "\(low) to \(format.cell(interval.upperBound))" : "\(low) ms or more"
    }
}

extension ResolverSummary: TimedRow {
    var failedShare: Share { counts.failureRate }

    /// A text such as `0.2 to 10.4 %`; `nil` without measured queries.
    var failureIntervalText: String? {
        guard counts.measured > 0 else { return nil }
        let (lower, upper) = (failureInterval.lowerBound, failureInterval.upperBound)
        let decimals = Share.decimals(of: upper)
        return "\((lower * 100).fixed(decimals)) to \((upper * 100).fixed(decimals)) %"
    }
}

extension ResolverGroups {
    /// The name, median, bars, p95 and failures of each row, for text and Markdown. The names of
    /// `advised` resolvers are marked. If `advised` is `nil`, the names of the fastest resolvers
    /// are marked.
    func ranking(_ context: ReportContext?, advised: Set<String>? = nil) -> [Table.Column] {
        let columns = ResolverColumns(rows: rows)
        let best = advised ?? Set(SeriesSummary(of: rows).fastest.map(\.name))
        var rank = columns.figures("rank") { row in
            Table.Cell(row.rankText, key: row.rank.map { Double($0.lowerBound + $0.upperBound) })
        }
        rank.joinsHeading = true
        let note = columns.remarks(context, header: "note").shown(in: [.text, .markdown])
        let names = zip(rows, note.cells).map { row, remark in
            // A page shows the remark below the name. It also has room for the columns that other
            // formats lack.
            Table.Cell(
                isGrouped ? row.target.label : row.name,
                note: remark.text.isEmpty ? nil : remark.text,
                style: best.contains(row.name) ? .good : .plain
            )
        }
        var resolver = Table.Column("resolver", names, .heading)
        resolver.continued = rows.indices.map { isGrouped && isContinued($0) }
        var over = columns.over
        over.joinsHeading = true
        var bars = Table.Column("", [String]())
        bars.bars = .latencies(
            rows.map(\.latency).map { latency in
                latency.isOfFewRounds
                    ? LatencySummary(answers: [], nonAnswers: 0, timeout: latency.timeout) : latency
            }
        )
        bars.media = [.text]
        let parts = columns.parts().map { $0.shown(in: [.markdown, .page]) }
        let (failed, others) = (
            columns.failed(in: [.page]), columns.failed(in: [.text, .markdown])
        )
        // As-found names are not ranked.
        let ranks = rows.contains { $0.found == nil } ? [rank] : []
        return ranks + [resolver] + (isGrouped ? [over] : []) + [columns.median, failed, bars]
            + parts
            + [columns.p95, others, note]
    }
}

extension ComparisonReport {
    /// The rows of a series, with their differences from the baseline.
    func table(of series: Series) -> Table {
        let groups = groups(of: series)
        let rows = groups.rows
        let evidence = evidence(of: series)
        let baseline = evidence?.isTested == true ? evidence?.baseline.flatMap(row) : nil
        var columns = groups.ranking(context, advised: advised(in: series))
        if let evidence, let baseline {
            columns += differences(of: rows, evidence, from: baseline)
        }
        var table = Table(columns)
        table.current = rows.map(\.isBaseline)
        table.tellsCurrent = context.isBaselineInUse
        table.isOfCards = true
        let best = series == .asFound ? "lowest mean" : "fastest"
        let order =
            groups.isGrouped ? "By resolver, the \(best) first" : "\(best.sentenceStart) first"
        // Follows the sort order: a resolver that fails more often than most has no rank.
        let isSplit = Set(rows.map { $0.order.group }).count > 1 && !groups.isGrouped
        let last = isSplit ? ", those without a rank last" : ""
        // If several candidates are compared, their intervals are wider, so that all intervals hold
        // together. Each interval has the level of its step of Holm's test.
        let levels = (baseline == nil ? [] : evidence?.candidates ?? []).map(
            \.comparison.confidence
        )
        let ends = [levels.min(), levels.max()].compactMap { $0.map(DifferencePhrases.percent) }
        let shared =
            levels.count > 1 ? " (differences: \(ends.uniqued.joined(separator: " to ")))" : ""
        table.caption =
            "\(order)\(last), \(series.wording). Below each figure its 95 % confidence "
            + "interval\(shared)."
        return table
    }

    /// The name of the recommended resolver; empty if there is no recommendation, `nil` if nothing
    /// was compared.
    private func advised(in series: Series) -> Set<String>? {
        let sentences =
            VerdictSentences(in: nil, of: self) ?? VerdictSentences(in: series, of: self)
        guard let sentences else { return nil }
        guard let subject = sentences.subject, subject.comparison.verdict == .switch else {
            return []
        }
        return [subject.row.name]
    }

    private func differences(
        of rows: [ResolverSummary],
        _ evidence: SeriesEvidence,
        from baseline: ResolverSummary
    ) -> [Table.Column] {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let comparisons = Dictionary(
            evidence.candidates.map { (recording.targets[$0.target], $0.comparison) }
        ) { first, _ in first }
        var difference = Table.Column(
            "than \(baseline.name)",
            rows.map { row in
                guard let comparison = comparisons[row.target] else { return "" }
                let value = comparison.difference
                let words = DifferencePhrases(
                    of: value,
                    in: comparison.interval,
                    beside: comparison.margin,
                    otherwise: format
                )
                return Table.Cell(
                    value.map(words.difference) ?? "–",
                    key: value.map { -$0 },
                    note: words.span(comparison.interval) ?? "open"
                )
            },
            .figures
        )
        let verdicts = VerdictSentences(in: evidence.series, of: self)?.verdicts ?? [:]
        var verdict = Table.Column(
            "verdict",
            rows.map { row in
                guard let verdict = verdicts[row.target] else { return "" }
                return Table.Cell(verdict.words, style: verdict.isAdvice ? .good : .plain)
            }
        )
        (difference.media, verdict.media) = ([.page], [.page])
        (difference.lead, verdict.lead) = (.difference, .verdict)
        // A verdict over several series replaces the verdicts of the single series.
        let hasVerdict = self.evidence(of: .cached)?.whole.isEmpty != false
        return [difference] + (hasVerdict ? [verdict] : [])
    }
}
