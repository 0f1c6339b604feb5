import Analysis
import Catalogue
import Charts
import Samples
import Statistics

/// Rows of resolvers as the chart of first answers draws them: those over encrypted transports with
/// what the kept connection takes, and beside them the plain transports of the same resolvers.
struct ConnectionSetupSubjects {
    /// A row of a series, and the name of its resolver.
    struct Entry {
        var resolver: String
        var row: ResolverSummary
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
        kept: ResolverSummary?,
        tellsUses: Bool
    ) -> [ChartSubject] {
        let row = entry.row
        let detail = isTwin ? " \(row.target.endpoint)" : ""
        let name = EscapedText.terminal("\(row.target.transport)\(detail)")
        func subject(_ summary: LatencySummary, _ opening: ConnectionSetup) -> ChartSubject {
            ChartSubject(
                label: "\(entry.resolver) (\(name))",
                member: (entry.resolver, name, place: 0),
                role: entry.role,
                summary: summary,
                opening: opening
            )
        }
        // Over UDP nothing is opened.
        if row.target.transport.kind == .udp {
            return [subject(row.latency, ConnectionSetup())]
        }
        return row.openings.map { figures in
            subject(
                figures.latency,
                ConnectionSetup(
                    connected: figures.connected,
                    secured: figures.secured,
                    use: tellsUses && row.isOpened ? figures.use?.description : nil,
                    kept: kept?.latency
                )
            )
        }
    }
}

extension [ConnectionSetupSubjects.Entry] {
    /// From plain to encrypted.
    fileprivate var inTransportOrder: Self {
        enumerated().sorted {
            ($0.element.row.target.transportOrder, $0.offset)
                < ($1.element.row.target.transportOrder, $1.offset)
        }
        .map(\.element)
    }
}

extension ResolverSummary {
    /// Whether it is of connections that were opened for the query, and encrypted.
    fileprivate var isOpened: Bool { target.series == .first && target.isEncrypted }

    /// Whether it is of queries for cached names that nothing encrypts.
    fileprivate var isPlain: Bool { target.series == .cached && !target.isEncrypted }

    /// Whether it is of the connection that is kept beside those of `other`.
    fileprivate func isKept(as other: ResolverSummary) -> Bool {
        var target = other.target
        target.series = .cached
        return self.target == target && other.isOpened
    }
}

extension ComparisonReport {
    /// Chart of what first answers are made of; `nil` without any over an encrypted transport.
    var openingChart: Chart? {
        let entries = [Series.first, .cached].flatMap { series in
            groups(of: series).rows.map { row in
                ConnectionSetupSubjects.Entry(
                    resolver: EscapedText.terminal(row.target.label),
                    row: row,
                    role: row.isBaseline && context.isBaselineInUse ? .current : .other
                )
            }
        }
        let subjects = ConnectionSetupSubjects(entries).all
        return subjects.isEmpty ? nil : Chart(.opening, of: subjects)
    }
}

extension Table {
    /// Table of what first answers are made of, as bars of text with the figures beside them.
    init(openings subjects: [ChartSubject]) {
        let resolvers = subjects.map { $0.member?.resolver ?? $0.label }
        var resolver = Column("resolver", resolvers, .heading)
        resolver.continued = resolvers.indices.map { $0 > 0 && resolvers[$0] == resolvers[$0 - 1] }
        let over = subjects.map { subject in
            let use = subject.opening?.use.map { ", \($0) (\(subject.summary.answered))" }
            return (subject.member?.name ?? "") + (use ?? "")
        }
        var bars = Column("", [String]())
        bars.bars = .openings(subjects)
        func times(_ header: String, drop: Int, _ summaries: [LatencySummary?]) -> Column? {
            guard summaries.contains(where: { $0 != nil }) else { return nil }
            let format = LatencyFormat(fitting: summaries.compactMap { $0?.median })
            let cells = summaries.map { summary in
                guard let summary, summary.count > 0 else { return "" }
                return summary.median.map(format.cell) ?? LatencyFormat.beyond(summary.timeout)
            }
            return Column(header, cells, .figures, drop: drop)
        }
        self.init(
            [resolver, Column("over", over), bars]
                + [
                    times("first answer", drop: 1, subjects.map(\.summary)),
                    times("kept", drop: 2, subjects.map { $0.opening?.kept }),
                ].compactMap(\.self)
        )
    }
}
