import Charts
import Samples
import Statistics

/// Where pages about single things are.
package struct PageLinks: Sendable {
    /// Of a resolver by its label.
    package var resolver: @Sendable (String) -> String
    /// Of two resolvers held against each other, what is in use first.
    package var comparison: @Sendable (String, String) -> String

    package init(
        resolver: @escaping @Sendable (String) -> String,
        comparison: @escaping @Sendable (String, String) -> String
    ) {
        self.resolver = resolver
        self.comparison = comparison
    }
}

extension OverviewReport {
    /// The answer, then the three times side by side, whether to switch, and what changed.
    package func fragments(_ links: PageLinks) -> [HTML] {
        [
            PageFragments.answer(headline, scope: freshness),
            HTML(.div, [.class("cards")], spans.map(card)),
            verdictSection(links),
            PageFragments.section(
                "What changed",
                id: "changes",
                [PageFragments.list(changes.findings.map { $0.sentence(clock: context.clock) })]
            ),
        ]
    }

    /// The figures of the week.
    package var weekReport: WindowReport? { week }

    private func card(_ span: Span) -> HTML {
        let state = span.health?.state
        let isGood = state == .fine
        let isBad = [.slower, .lessReliable, .losing, .silent, .offline].contains(state)
        var parts = [HTML(.h2, HTML(text: span.period.title))]
        if let health = span.health, let inUse {
            parts.append(
                HTML(
                    .p,
                    [.class("state" + (isGood ? " good" : isBad ? " warning" : ""))],
                    HTML(text: health.words(inUse))
                )
            )
            if let figures = health.figures { parts.append(HTML(.p, HTML(text: figures))) }
        }
        let fastest = fastest(in: span) ?? "No resolver answered \(span.period.phrase)."
        parts.append(HTML(.p, [.class("quiet")], HTML(text: fastest)))
        return HTML(.article, [.class("card"), .id(span.period.rawValue)], parts)
    }

    private func verdictSection(_ links: PageLinks) -> HTML {
        guard let verdict, let inUse, let comparison else { return .nothing }
        let other = comparison.rows.first { $0.target.label != inUse }?.target.label
        let link = other.map { other in
            HTML(
                .p,
                HTML(
                    .a,
                    [.href(links.comparison(inUse, other))],
                    HTML(text: "Compare any two resolvers")
                )
            )
        }
        return PageFragments.section(
            "Is another one better?",
            id: "verdict",
            [
                HTML(.p, [.class("finding")], HTML(text: verdict.headline)),
                HTML(.p, [.class("scope")], HTML(text: verdict.scope)),
                link ?? .nothing,
            ]
        )
    }
}

extension WindowReport {
    /// The bars and the table of every resolver.
    package func fragments(_ links: PageLinks, inUse: String?) -> [HTML] {
        guard !rows.isEmpty else { return [HTML(.p, HTML(text: context.nothing))] }
        return [
            PageFragments.figure(Sheet(charts: charts, identifier: "bars")),
            table(links, inUse: inUse).html,
        ] + PageFragments.encryption(encryption.map { cost in cost.words { $0 } })
    }

    /// What a reader of the figures should know, and where they are from.
    package var remarks: [HTML] {
        [PageFragments.list(notes.map(\.text))]
    }

    private var charts: [Chart] {
        Series.allCases.compactMap { series in
            let members = rows.map(\.figures).filter { $0.target.series == series }
            guard !members.isEmpty else { return nil }
            return Chart(
                .bars,
                of: members.map { row in
                    ChartSubject(
                        label: EscapedText.terminal(label(row)),
                        summary: row.latency
                    )
                }
            )
        }
    }

    private func label(_ row: ResolverRow) -> String {
        label(row.name, in: row.target.series)
    }

    private func label(_ name: String, in series: Series) -> String {
        series.naming(name, among: Set(rows.map(\.figures.target.series)))
    }

    private func table(_ links: PageLinks, inUse: String?) -> HTMLTable {
        let figures = rows.map(\.figures)
        let median = LatencyFormat(fitting: figures.compactMap(\.latency.median))
        let p95 = LatencyFormat(fitting: figures.compactMap(\.latency.p95))
        let opening = OpeningColumn.all(of: figures)
        let over: [HTMLTable.Column] = isByTransport ? [.init("over")] : []
        var table = HTMLTable(
            caption: "\(context.span) (\(context.zone))",
            columns: [.init("resolver", isHeading: true)] + over + [
                .init("median", isNumeric: true),
                .init("p95", isNumeric: true), .init("lost", isNumeric: true),
                .init("queries", isNumeric: true),
            ] + opening.map(\.heading) + [.init("remarks")],
            rows: figures.map { row in
                let label = row.target.label
                // Whoever sorts the table tears the rows of a resolver apart.
                let title =
                    isByTransport ? self.label(label, in: row.target.series) : self.label(row)
                let name = HTML(.a, [.href(links.resolver(label))], HTML(text: title))
                let note = label == inUse ? ["you use this now"] : []
                let detail = RowNote(row).text
                return [.init(name)] + (isByTransport ? [.init("\(row.target.transport)")] : []) + [
                    .init(row.quantile(row.latency.median, in: median)),
                    .init(row.quantile(row.latency.p95, in: p95)),
                    .init(
                        row.counts.failureRate.description,
                        style: row.counts.lost > 0 ? "warning" : nil
                    ),
                    .init("\(row.counts.sent)"),
                ] + opening.map { $0.htmlCell(row) } + [
                    .init(
                        (note + [detail]).filter { !$0.isEmpty }.joined(separator: ", "),
                        style: "prose"
                    )
                ]
            },
            isSortable: true
        )
        for (index, row) in figures.enumerated() where row.target.label == inUse {
            table.rowStyles[index] = "current"
        }
        return table
    }
}
