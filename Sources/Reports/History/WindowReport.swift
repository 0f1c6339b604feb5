package import Analysis
import Samples
import Statistics

/// How fast resolvers were over a window, side by side by hour, day, name and so on.
package struct WindowReport: HistoryReport {
    static let kind = "window"

    /// One resolver in one group.
    struct Row {
        var group: WindowGroup
        var figures: ResolverSummary
    }

    package let context: WindowContext
    package let grouping: WindowGrouping
    package let notes: [Warning]
    let tally: WindowTally
    /// Group by group, in each the lowest median first; where a resolver was asked over several
    /// transports, they are beneath each other.
    let rows: [Row]
    /// Whether one was, and the groups are not the transports themselves.
    let isByTransport: Bool
    /// Costs of encryption, where they are known.
    let encryption: [EncryptionCost]

    package init(of tally: WindowTally, context: WindowContext) {
        self.context = context
        self.tally = tally
        grouping = tally.grouping
        let names = tally.figures.keys.map(\.target).namesByTarget
        let ranked = tally.figures.map { key, figures in
            let name = names[key.target] ?? key.target.label
            var row = ResolverSummary(key.target, name: name, figures)
            row.medianInterval = figures.medianInterval
            return Row(group: key.group, figures: row)
        }
        .sorted(by: Self.isBefore)
        isByTransport =
            grouping != .transport && Array(names.keys).haveSeveralTransports
        rows = isByTransport ? Self.arranged(ranked) : ranked
        encryption = tally.evidence?.costs(rows.map(\.figures)) ?? []
        notes = Warning.all(
            log: tally.provenance.log,
            context: context,
            hasSums: tally.provenance.hasSums,
            verification: Verification(of: tally.figures.values)
        )
    }

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
        func key(_ row: ResolverSummary) -> (UInt8, Double, Int, String) {
            (
                row.target.series.rawValue, row.latency.median ?? .infinity, -row.counts.answered,
                row.name
            )
        }
        return key(left.figures) < key(right.figures)
    }
}

extension WindowReport {
    package var document: Document {
        var document = document(
            rows.isEmpty ? [nothing] : headlines + [scope],
            columns,
            figures: { table }
        )
        if grouping.tellsTransports {
            document.sections[0].tables.append(ResolverColumns(rows: figures).openings)
        }
        document.encryption = encryption.map(\.words)
        return document
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
        return SummarySentences.comparisons(figures.map { ("", $0) })
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

    var provenance: Provenance { tally.provenance }

    // MARK: - Table

    private var columns: [Table.Column] {
        guard !rows.isEmpty else { return [] }
        let table = ResolverColumns(rows: figures)
        var group = Table.Column(grouping.rawValue, rows.map(\.group.title))
        group.isGrouping = true
        let names = Table.Column.naming(
            figures.map(\.target),
            figures.map { isByTransport ? $0.target.label : $0.name },
            isByTransport: isByTransport,
            continued: rows.indices.map(isContinued)
        )
        let parts = table.parts(drop: 4, none: "").map { part in
            var part = part
            // A text has them in a table of their own.
            if grouping.tellsTransports { part.media = [.markdown, .page] }
            return part
        }
        // Rounds without a route are told of below.
        let remarks = table.remarks(header: "")
        let hasRemarks = remarks.cells.contains { !$0.text.isEmpty }
        return (grouping == .resolver ? [] : [group]) + names
            + [table.median, table.p95(), table.lost, table.count("queries", drop: 3, \.sent)]
            + parts + (hasRemarks ? [remarks] : [])
    }

    // MARK: - For programs

    private var table: [[JSONValue]] {
        let known = ResolverSummary.columns(figures)
        // Two columns of one name could not be told apart.
        let isTaken = known.contains { $0.key == grouping.rawValue }
        let group = Field<Row>.text(isTaken ? "group" : grouping.rawValue) { $0.group.title }
        return
            ((grouping == .resolver ? [] : [group])
            + known.map { field in field.of { $0.figures } }).table(of: rows)
    }

    var members: JSONValue {
        let rows = rows.map { row in
            (grouping == .resolver ? [:] : ["group": .string(row.group.title)])
                + row.figures.members
        }
        return [
            "by": .string(grouping.rawValue),
            "rows": .array(rows),
        ] + encryption.members
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
