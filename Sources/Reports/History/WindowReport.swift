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
        self.init(of: tally, context: context, evidence: nil)
    }

    /// With the cost of encryption, of which the same window is `evidence`.
    init(of tally: WindowTally, context: WindowContext, evidence: TransportEvidence?) {
        self.context = context
        self.tally = tally
        grouping = tally.grouping
        let sums = tally.sums
        let targets = Array(Set(sums.map(\.key.target)))
        let names = Dictionary(
            uniqueKeysWithValues: zip(targets, ComparisonReport.names(of: targets))
        )
        let ranked = sums.map { key, cell in
            var figures = ResolverRow(
                target: key.target,
                name: names[key.target] ?? key.target.label,
                counts: cell.counts,
                latency: cell.latency,
                isBaseline: false
            )
            figures.medianInterval = cell.medianInterval
            figures.connections = cell.connectionFigures
            return Row(group: key.group, figures: figures)
        }
        .sorted(by: Self.isBefore)
        isByTransport =
            grouping != .transport && targets.haveSeveralTransports
        rows = isByTransport ? Self.arranged(ranked) : ranked
        encryption =
            grouping.tellsTransports ? evidence?.costs(rows.map(\.figures)) ?? [] : []
        notes = HistoryNote.all(
            log: tally.log,
            context: context,
            hasSums: tally.firstSum != nil,
            verification: Verification(of: tally.sums.lazy.map(\.cell))
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
