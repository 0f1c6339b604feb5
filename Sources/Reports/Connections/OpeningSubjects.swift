import Analysis
import Catalogue
import Charts
import Samples
import Statistics

/// Rows of resolvers as the chart of first answers draws them: those over encrypted transports with
/// what the kept connection takes, and beside them the plain transports of the same resolvers.
struct OpeningSubjects {
    /// A row of a series, and the name of its resolver.
    struct Entry {
        var resolver: String
        var row: ResolverRow
        var role = ChartSubject.Role.other
    }

    let all: [ChartSubject]

    /// None without first queries. The resolvers come in the order of their first queries in
    /// `entries`.
    init(_ entries: [Entry]) {
        let firsts = entries.filter { $0.row.isOpened && !$0.row.openings.isEmpty }
        let uses = Set(firsts.flatMap { $0.row.openings.compactMap(\.use) })
        let known = Dictionary(grouping: entries, by: \.resolver)
        all = firsts.map(\.resolver).uniqued.flatMap { resolver in
            let own = known[resolver] ?? []
            let plain = own.filter { $0.row.isPlain }
            let drawn = (plain + own.filter { $0.row.isOpened }).inTransportOrder
            return drawn.flatMap { entry in
                let twins = drawn.filter { $0.row.target.transport == entry.row.target.transport }
                return Self.subjects(
                    of: entry,
                    isTwin: twins.count > 1,
                    kept: own.first { $0.row.isKept(as: entry.row) }?.row,
                    tellsUses: !uses.subtracting([.new]).isEmpty
                )
            }
        }
    }

    /// A subject for each kind of connection.
    private static func subjects(
        of entry: Entry,
        isTwin: Bool,
        kept: ResolverRow?,
        tellsUses: Bool
    ) -> [ChartSubject] {
        let row = entry.row
        let detail = isTwin ? " \(row.target.endpoint)" : ""
        let name = EscapedText.terminal("\(row.target.transport)\(detail)")
        func subject(_ summary: LatencySummary, _ opening: Opening) -> ChartSubject {
            ChartSubject(
                label: "\(entry.resolver) (\(name))",
                member: ChartSubject.Member(
                    resolver: entry.resolver,
                    name: name,
                    place: 0
                ),
                role: entry.role,
                summary: summary,
                opening: opening
            )
        }
        // Over UDP nothing is opened.
        if row.target.transport.kind == .udp {
            return [subject(row.latency, Opening())]
        }
        return row.openings.map { figures in
            subject(
                figures.latency,
                Opening(
                    connected: figures.connected,
                    secured: figures.secured,
                    use: tellsUses && row.isOpened ? figures.use?.description : nil,
                    kept: kept?.latency
                )
            )
        }
    }
}

extension [OpeningSubjects.Entry] {
    /// From plain to encrypted.
    fileprivate var inTransportOrder: Self {
        enumerated().sorted {
            ($0.element.row.transportOrder, $0.offset) < ($1.element.row.transportOrder, $1.offset)
        }
        .map(\.element)
    }
}

extension ResolverRow {
    /// Whether it is of connections that were opened for the query, and encrypted.
    fileprivate var isOpened: Bool { target.series == .first && target.isEncrypted }

    /// Whether it is of queries for cached names that nothing encrypts.
    fileprivate var isPlain: Bool { target.series == .cached && !target.isEncrypted }

    /// Whether it is of the connection that is kept beside those of `other`.
    fileprivate func isKept(as other: ResolverRow) -> Bool {
        var target = other.target
        target.series = .cached
        return self.target == target && other.isOpened
    }
}

extension ComparisonReport {
    /// What first answers are made of; `nil` without any over an encrypted transport.
    var openingChart: Chart? {
        let entries = [Series.first, .cached].flatMap { series in
            groups(of: series).rows.map { row in
                OpeningSubjects.Entry(
                    resolver: EscapedText.terminal(row.target.label),
                    row: row,
                    role: row.isBaseline && context.isBaselineInUse ? .current : .other
                )
            }
        }
        let subjects = OpeningSubjects(entries).all
        return subjects.isEmpty ? nil : Chart(.opening, of: subjects)
    }
}

/// What first answers are made of, as bars of text with the figures beside them.
struct OpeningBars {
    let subjects: [ChartSubject]
    let width: Int

    /// Narrower bars say less than the numbers beside them.
    private static let narrowest = 12
    /// Wider ones are no more exact.
    private static let widest = 80

    /// Header, rows, the axis and the key below the bars; where there is no room for bars, figures
    /// alone.
    var lines: [String] {
        guard !subjects.isEmpty else { return [] }
        let labels = [
            resolvers.limited(to: max(8, width / 5)), ways.limited(to: max(6, width / 4)),
        ]
        let figures = [times("first answer") { $0.summary }, times("kept") { $0.opening?.kept }]
            .compactMap(\.self)
        let room = width - TextColumn.width(of: labels + figures) - TextColumn.gap.count
        guard room >= Self.narrowest else { return fitting(labels, figures) }
        let bars = TerminalBars(openings: subjects, width: min(room, Self.widest))
        var column = TextColumn("", bars.rows)
        column.width = min(room, Self.widest)
        let start = TextColumn.width(of: labels) + TextColumn.gap.count
        let axis = String(repeating: " ", count: start) + bars.axis
        return TextColumn.lines(labels + [column] + figures, colour: false) + [axis.trimmedAtEnd]
            + bars.key.wrapped(to: width - TextColumn.indent.count)
            .map { TextColumn.indent + $0 }
    }

    private func fitting(_ labels: [TextColumn], _ figures: [TextColumn]) -> [String] {
        let choices = [labels + figures, labels + figures.prefix(1), labels]
        let columns =
            choices.first { TextColumn.width(of: $0) <= width }
            ?? [labels[0], labels[1].limited(to: max(1, width - labels[0].width - 4))]
        return TextColumn.lines(columns, colour: false)
    }

    /// The label where a resolver begins, and nothing beneath.
    private var resolvers: TextColumn {
        var last: String?
        let texts = subjects.map { subject in
            let resolver = subject.member?.resolver ?? subject.label
            defer { last = resolver }
            return resolver == last ? "" : resolver
        }
        return TextColumn("resolver", texts)
    }

    private var ways: TextColumn {
        TextColumn(
            "over",
            subjects.map { subject in
                let name = subject.member?.name ?? ""
                let use = subject.opening?.use.map { ", \($0) (\(subject.summary.answered))" }
                return name + (use ?? "")
            }
        )
    }

    private func times(
        _ header: String,
        _ summary: (ChartSubject) -> LatencySummary?
    ) -> TextColumn? {
        let summaries = subjects.map(summary)
        guard summaries.contains(where: { $0 != nil }) else { return nil }
        let format = LatencyFormat(fitting: summaries.compactMap { $0?.median })
        let cells = summaries.map { summary in
            guard let summary, summary.count > 0 else { return "" }
            return summary.median.map(format.cell) ?? LatencyFormat.beyond(summary.timeout)
        }
        return TextColumn(header, cells, alignment: .right)
    }
}
