import Samples
import Statistics

extension WindowReport {
    var document: HistoryDocument {
        HistoryDocument(
            words: rows.isEmpty ? [nothing] : headlines + [scope],
            columns: columns,
            openings: grouping.tellsTransports ? rows.map(\.figures) : [],
            encryption: encryption.map { cost in cost.words { $0 } },
            notes: notes,
            provenance: provenance.text(toolVersion: context.toolVersion),
            csv: csv,
            json: json
        )
    }

    // MARK: - Words

    private var nothing: String {
        tally.log.isEmpty
            ? context.nothing
            : "Nothing that says something of a resolver was measured from \(context.span)."
    }

    /// The comparison where resolvers are side by side, else what is best and worst for each.
    private var headlines: [String] {
        guard grouping == .resolver else {
            return byResolver.prefix(8).compactMap(extremes)
        }
        let all = Set(rows.map(\.figures.target.series))
        var sentences: [String] = []
        for series in Series.allCases where all.contains(series) {
            let figures = rows.map(\.figures).filter { $0.target.series == series }
            let speech = Speech(standing: Standing(of: figures), isBaselineInUse: false) { $0 }
            let opening = all.count > 1 ? "\(series.wording.sentenceStart): " : ""
            sentences.append(opening + speech.headline(of: figures))
            sentences += speech.details.filter { !sentences.contains($0) }
        }
        return sentences
    }

    private func extremes(_ rows: [Row]) -> String? {
        guard let first = rows.first?.figures else { return nil }
        let all = Set(self.rows.map(\.figures.target.series))
        let name = first.target.series.naming(first.name, among: all)
        // A day of which an hour was measured is neither the best nor the worst one.
        let most = rows.map(\.figures.counts.sent).max() ?? 0
        let timed = rows.filter {
            $0.figures.latency.median != nil && $0.figures.counts.sent >= most / 4
        }
        let format = LatencyFormat(fitting: timed.compactMap(\.figures.latency.median))
        func said(_ row: Row) -> String {
            "\(row.group.phrase(in: grouping)) (\(format.prose(row.figures.latency.median ?? 0)))"
        }
        let sorted = timed.sorted {
            ($0.figures.latency.median ?? 0) < ($1.figures.latency.median ?? 0)
        }
        guard let best = sorted.first, let worst = sorted.last else {
            return "\(name) answered less than half of its queries."
        }
        let range = (best.figures.latency.median ?? 0)...(worst.figures.latency.median ?? 0)
        // Neighbouring buckets of a sketch are no difference, nor is what nobody would notice.
        let isEven =
            format.number(range.lowerBound) == format.number(range.upperBound)
            || range.upperBound < range.lowerBound * 1.03
        if sorted.count == 1 { return "\(name) was measured \(said(best)) alone." }
        return isEven
            ? "\(name) was equally fast throughout (\(format.prose(best.figures.latency.median ?? 0)))."
            : "\(name) was fastest \(said(best)), slowest \(said(worst))."
    }

    private var scope: String {
        let rounds = tally.log.count
        let places = tally.log.vantages
        let measured = rounds > 0 ? "\(rounds.of("round", "rounds")), " : ""
        let from = places.count == 1 ? " from \(places[0])" : ""
        let mixed =
            places.count > 1 && grouping != .vantage
            ? " from \(places.count) places (see --by vantage)" : ""
        return "\(measured)\(context.span) (\(context.zone))\(from)\(mixed)."
    }

    private var provenance: Provenance {
        Provenance(
            firstSample: tally.firstSample,
            firstSum: tally.firstSum,
            clock: context.clock
        )
    }

    // MARK: - Table

    private var columns: [HistoryDocument.Column] {
        guard !rows.isEmpty else { return [] }
        let figures = rows.map(\.figures)
        let median = LatencyFormat(fitting: figures.compactMap(\.latency.median))
        let p95 = LatencyFormat(fitting: figures.compactMap(\.latency.p95))
        let several = Set(figures.map(\.target.series)).count > 1
        var columns: [HistoryDocument.Column] = []
        if grouping != .resolver {
            columns.append(
                .init(
                    header: grouping.rawValue,
                    cells: rows.map(\.group.title),
                    isGrouping: true
                )
            )
        }
        columns.append(
            .init(
                header: "resolver",
                cells: figures.map { isByTransport ? $0.target.label : $0.name },
                continued: rows.indices.map(isContinued)
            )
        )
        if isByTransport {
            columns.append(.init(header: "over", cells: figures.map(\.target.transport)))
        }
        if several {
            let words = figures.map(\.target.series.description)
            columns.append(.init(header: "series", cells: words))
        }
        func right(_ header: String, _ drop: Int, _ cell: (ResolverRow) -> String) {
            let cells = figures.map(cell)
            columns.append(
                .init(header: header, cells: cells, alignment: .right, dispensability: drop)
            )
        }
        func last(_ interval: (ResolverRow) -> String?) {
            columns[columns.count - 1].intervals = figures.map(interval)
        }
        right("median", 0) { $0.quantile($0.latency.median, in: median) }
        last { $0.medianIntervalText(in: median) }
        right("p95", 2) { $0.quantile($0.latency.p95, in: p95) }
        right("lost", 1) { $0.counts.failureRate.description }
        last(\.failureIntervalText)
        right("queries", 3) { String($0.counts.sent) }
        for column in OpeningColumn.all(of: figures) {
            right(column.header, 4) { $0.connections?.parts.map(column.cell) ?? "" }
            columns[columns.count - 1].isOpening = true
        }
        // Rounds without a route are told of below.
        let details = figures.map { RowNote($0).text }
        if details.contains(where: { !$0.isEmpty }) {
            columns.append(.init(header: "", cells: details, dispensability: 5))
        }
        return columns
    }

    // MARK: - For programs

    private var csv: [[CSVCell]] {
        let isGrouped = grouping != .resolver
        let (known, cells) = CSVSummary.figures(of: rows.map(\.figures))
        // Two columns of one name could not be told apart.
        let group = known.contains(grouping.rawValue) ? "group" : grouping.rawValue
        return [((isGrouped ? [group] : []) + known).map(CSVCell.figure)]
            + zip(rows, cells).map { row, cells in
                (isGrouped ? [CSVCell.text(row.group.title)] : []) + cells
            }
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "window",
            context: context,
            provenance: provenance,
            log: tally.log,
            notes: notes
        )
        .document(
            [
                .init(name: "by", value: .string(grouping.rawValue)),
                .init(name: "rows", value: .array(rows.map(json))),
            ] + JSONReport.members(of: encryption)
        )
    }

    private func json(_ row: Row) -> JSONValue {
        let group = JSONValue.Member(name: "group", value: .string(row.group.title))
        return .object(
            (grouping == .resolver ? [] : [group]) + JSONReport.members(of: row.figures)
        )
    }
}
