import Measurement
import Statistics

/// A report over a window of history, in every format but pictures.
public protocol HistoryReport: Sendable {
    /// The report as text with a line break at its end, as wide as `width` where it is for a
    /// terminal; `nil` for a format of pictures.
    func render(as format: OutputFormat, width: Int, colour: Bool) -> String?
}

/// A report over a window that is a page too.
public protocol PagedReport: HistoryReport {
    func page(_ extras: PageExtras) -> HTMLPage
}

/// How fast resolvers were over a window, side by side by hour, day, name and so on.
public struct WindowReport: PagedReport {
    /// One resolver in one group.
    struct Row {
        var group: WindowGroup
        var figures: ResolverRow
    }

    public let context: WindowContext
    public let grouping: WindowGrouping
    public let notes: [HistoryNote]
    let tally: WindowTally
    /// Group by group, in each the lowest median first.
    let rows: [Row]

    public init(of tally: WindowTally, context: WindowContext) {
        self.context = context
        self.tally = tally
        grouping = tally.grouping
        let sums = tally.sums
        let targets = Array(Set(sums.map(\.key.target)))
        let names = Dictionary(
            uniqueKeysWithValues: zip(targets, ComparisonReport.names(of: targets))
        )
        rows = sums.map { key, cell in
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
        notes = HistoryNote.all(
            log: tally.log,
            context: context,
            hasSums: tally.firstSum != nil
        )
    }

    public func render(as format: OutputFormat, width: Int, colour: Bool) -> String? {
        document.render(as: format, width: width, colour: colour)
    }

    public func page(_ extras: PageExtras) -> HTMLPage { document.page(extras) }

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
