package import Analysis
import Samples
import Statistics

/// A report over a window of history, in every format but pictures.
package protocol HistoryReport: Sendable {
    /// The report as text with a line break at its end, as wide as `width` where it is for a
    /// terminal; `nil` for a format of pictures.
    func render(as format: OutputFormat, width: Int, colour: Bool) -> String?
}

/// A report over a window that is a page too.
package protocol PagedReport: HistoryReport {
    func page(_ extras: PageExtras) -> HTMLPage
}

/// How fast resolvers were over a window, side by side by hour, day, name and so on.
package struct WindowReport: PagedReport {
    /// One resolver in one group.
    struct Row {
        var group: WindowGroup
        var figures: ResolverRow
    }

    package let context: WindowContext
    package let grouping: WindowGrouping
    package let notes: [HistoryNote]
    let tally: WindowTally
    /// Group by group, in each the lowest median first; where a resolver was asked over several
    /// transports, they are beneath each other.
    let rows: [Row]
    /// Whether one was, and the groups are not the transports themselves.
    let isByTransport: Bool
    /// What encryption costs, where that is known.
    let encryption: [EncryptionCost]

    package init(of tally: WindowTally, context: WindowContext) {
        self.context = context
        self.tally = tally
        grouping = tally.grouping
        let names = tally.figures.keys.map(\.target).namesByTarget
        let ranked = tally.figures.map { key, figures in
            let name = names[key.target] ?? key.target.label
            var row = ResolverRow(key.target, name: name, figures)
            row.medianInterval = figures.medianInterval
            return Row(group: key.group, figures: row)
        }
        .sorted(by: Self.isBefore)
        isByTransport =
            grouping != .transport && Array(names.keys).haveSeveralTransports
        rows = isByTransport ? Self.arranged(ranked) : ranked
        encryption = tally.evidence?.costs(rows.map(\.figures)) ?? []
        notes = HistoryNote.all(
            log: tally.provenance.log,
            context: context,
            hasSums: tally.provenance.hasSums,
            verification: Verification(of: tally.figures.values)
        )
    }

    package func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        document.render(as: format, width: width, colour: colour)
    }

    package func page(_ extras: PageExtras) -> HTMLPage { document.page(extras) }

    /// Each resolver's rows in the order of the groups, in the order of the resolvers.
    var byResolver: [[Row]] {
        var order: [Recording.Target] = []
        var found: [Recording.Target: [Row]] = [:]
        for row in rows {
            if found[row.figures.target] == nil { order.append(row.figures.target) }
            found[row.figures.target, default: []].append(row)
        }
        return order.compactMap { found[$0] }
    }

    private static func arranged(_ rows: [Row]) -> [Row] {
        var arranged: [Row] = []
        var rest = rows[...]
        while let first = rest.first {
            let part = rest.prefix {
                $0.group == first.group && $0.figures.target.series == first.figures.target.series
            }
            arranged += ResolverGroups.arranged(Array(part), by: \.figures.target)
            rest = rest.dropFirst(part.count)
        }
        return arranged
    }

    /// Whether a row goes on with the resolver of the row before, over another transport.
    func isContinued(_ index: Int) -> Bool {
        guard isByTransport, index > 0 else { return false }
        let (row, last) = (rows[index], rows[index - 1])
        return row.group == last.group && row.figures.target.label == last.figures.target.label
            && row.figures.target.series == last.figures.target.series
    }

    private static func isBefore(_ left: Row, _ right: Row) -> Bool {
        if left.group != right.group { return left.group < right.group }
        func key(_ row: ResolverRow) -> (UInt8, Double, Int, String) {
            (
                row.target.series.rawValue, row.latency.median ?? .infinity, -row.counts.answered,
                row.name
            )
        }
        return key(left.figures) < key(right.figures)
    }
}

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
        tally.provenance.log.isEmpty
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
        let rounds = tally.provenance.log.count
        let places = tally.provenance.log.vantages
        let measured = rounds > 0 ? "\(rounds.of("round", "rounds")), " : ""
        let from = places.count == 1 ? " from \(places[0])" : ""
        let mixed =
            places.count > 1 && grouping != .vantage
            ? " from \(places.count) places (see --by vantage)" : ""
        return "\(measured)\(context.span) (\(context.zone))\(from)\(mixed)."
    }

    private var provenance: Provenance { tally.provenance }

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
            columns.append(
                .init(header: "over", cells: figures.map(\.target.transport.description))
            )
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
            log: provenance.log,
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

extension WindowGroup {
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Such as `14:00`, `Monday` or `2026-11-21`.
    var title: String {
        switch self {
        case .whole: ""
        case .text(let text): text
        case .hour(let hour): hour < 10 ? "0\(hour):00" : "\(hour):00"
        case .weekday(let day): Self.weekdays[(day - 1) % 7]
        case .day(let date): date.description
        }
    }

    /// As it stands in a sentence, such as `at 14:00`.
    func phrase(in grouping: WindowGrouping) -> String {
        switch grouping {
        case .resolver: ""
        case .name, .type: "with \(title)"
        case .hour: "at \(title)"
        case .weekday, .day: "on \(title)"
        case .transport: "over \(title)"
        case .vantage: "from \(title)"
        }
    }
}
