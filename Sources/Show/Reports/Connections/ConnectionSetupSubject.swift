import Analysis
import Catalogue
import Charts
import DNSWire
import Samples
import Statistics

/// A row of a series and the name of its resolver, for the chart of first answers. Rows of
/// encrypted transports also show the time over the kept connection. Rows of plain transports of
/// the same resolvers are next to them.
struct ConnectionSetupSubject {
    var resolver: String
    var row: ResolverSummary
    var role = ChartSubject.Role.other

    fileprivate func charted(
        isTwin: Bool,
        kept: ResolverSummary?,
        tellsUses: Bool
    ) -> [ChartSubject] {
        let detail = isTwin ? " \(row.target.endpoint)" : ""
        let name = EscapedText.terminal("\(row.target.transport)\(detail)")
        func subject(_ summary: LatencySummary, _ opening: ConnectionSetup) -> ChartSubject {
            var subject = ChartSubject(
                label: "\(resolver) (\(name))",
                member: (resolver, name, place: 0),
                summary: summary
            )
            (subject.role, subject.opening) = (role, opening)
            return subject
        }
        // UDP opens no connection.
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

extension [ConnectionSetupSubject] {
    /// The subjects of the chart; empty without first queries. The resolvers have the order of the
    /// first queries.
    var charted: [ChartSubject] {
        let firsts = filter { $0.row.isOpened && !$0.row.openings.isEmpty }
        let uses = Set(firsts.flatMap { $0.row.openings.compactMap(\.use) })
        let known = Dictionary(grouping: self, by: \.resolver)
        return firsts.map(\.resolver).uniqued.flatMap { resolver in
            let own = known[resolver] ?? []
            let drawn = (own.filter { $0.row.isPlain } + own.filter { $0.row.isOpened })
                .sorted(byKey: { $0.row.target.transportOrder }, <)
            return drawn.flatMap { subject in
                let twins = drawn.filter { $0.row.target.transport == subject.row.target.transport }
                return subject.charted(
                    isTwin: twins.count > 1,
                    kept: own.first { $0.row.isKept(as: subject.row) }?.row,
                    tellsUses: !uses.subtracting([.new]).isEmpty
                )
            }
        }
    }
}

extension ResolverSummary {
    fileprivate var isOpened: Bool { target.series == .first && target.isEncrypted }

    fileprivate var isPlain: Bool { target.series == .cached && !target.isEncrypted }

    /// Whether the row describes the kept connection of the same target as `other`.
    fileprivate func isKept(as other: ResolverSummary) -> Bool {
        target == other.target.inSeries(.cached) && other.isOpened
    }
}

extension ComparisonReport {
    /// The chart of the parts of first answers; `nil` unless an encrypted transport has first
    /// answers.
    var openingChart: Chart? {
        let setups = [Series.first, .cached].flatMap { series in
            groups(of: series).rows.map { row in
                ConnectionSetupSubject(
                    resolver: EscapedText.terminal(row.target.label),
                    row: row,
                    role: row.isBaseline && context.isBaselineInUse ? .current : .other
                )
            }
        }
        let subjects = setups.charted
        return subjects.isEmpty ? nil : Chart(.opening, of: subjects)
    }
}

extension Table {
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
