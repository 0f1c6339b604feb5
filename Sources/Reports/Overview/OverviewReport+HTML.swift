import Charts
import Samples
import Statistics

/// Where pages about single things are: that of a resolver by its label, and that of two held
/// against each other, what is in use first.
package typealias PageLinks = (
    resolver: @Sendable (String) -> String, comparison: @Sendable (String, String) -> String
)

extension OverviewReport {
    /// The answer, then the three times side by side, whether to switch, and what changed.
    package func fragments(_ links: PageLinks) -> [HTML] {
        [
            PageFragments.answer(headline, scope: freshness),
            HTML(.div, [.class("cards")], spans.map(card)),
            verdictSection(links),
            PageFragments.changes(changes.findings, clock: context.clock),
        ]
    }

    private func card(_ span: Span) -> HTML {
        let state = span.health?.state
        let isBad = [.slower, .lessReliable, .losing, .silent, .offline].contains(state)
        let style = state == .fine ? "state good" : isBad ? "state warning" : "state"
        var parts = [HTML(.h2, HTML(text: span.period.title))]
        if let health = span.health, let inUse {
            parts.append(HTML(.p, [.class(style)], HTML(text: health.words(inUse))))
            if let figures = health.figures { parts.append(HTML(.p, HTML(text: figures))) }
        }
        let fastest = fastest(in: span) ?? "No resolver answered \(span.period.phrase)."
        parts.append(HTML(.p, [.class("quiet")], HTML(text: fastest)))
        return HTML(.article, [.class("card"), .id(span.period.name)], parts)
    }

    private func verdictSection(_ links: PageLinks) -> HTML {
        guard let verdict, let inUse, let comparison else { return .nothing }
        let other = comparison.rows.first { $0.target.label != inUse }?.target.label
        let link = other.map { other in
            HTML(.p, HTML(.a, [.href(links.comparison(inUse, other))], "Compare any two resolvers"))
        }
        return PageFragments.section(
            "Is another one better?",
            id: "verdict",
            [
                HTML(.p, [.class("finding")], HTML(text: verdict.headline)),
                PageFragments.list(verdict.details),
                HTML(.p, [.class("scope")], HTML(text: verdict.scope)),
                link ?? .nothing,
            ]
        )
    }
}

extension WindowReport {
    package func fragments(_ links: PageLinks, inUse: String?) -> [HTML] {
        guard !rows.isEmpty else { return [HTML(.p, HTML(text: context.nothing))] }
        return [
            PageFragments.figure(Sheet(charts: charts, identifier: "bars")),
            table(links, inUse: inUse).html,
            PageFragments.encryption(encryption.map(\.words)),
        ]
    }

    package var remarks: [HTML] {
        [PageFragments.list(notes.map(\.text))]
    }

    private var charts: [Chart] {
        Series.allCases.compactMap { series in
            let members = figures.filter { $0.target.series == series }
            let subjects = members.map { row in
                let name = EscapedText.terminal(label(row.name, of: row))
                return ChartSubject(label: name, member: nil, summary: row.latency)
            }
            return members.isEmpty ? nil : Chart(.bars, of: subjects)
        }
    }

    func label(_ name: String, of row: ResolverSummary) -> String {
        row.target.series.naming(name, among: Set(figures.map(\.target.series)))
    }

    private func table(_ links: PageLinks, inUse: String?) -> Table {
        let columns = ResolverColumns(rows: figures)
        let resolver = Table.Column(
            "resolver",
            figures.map { row in
                // Whoever sorts the table tears the rows of a resolver apart.
                let name = isByTransport ? row.target.label : row.name
                var cell = Table.Cell(label(name, of: row))
                cell.link = links.resolver(row.target.label)
                return cell
            },
            .heading
        )
        let current = figures.map { $0.target.label == inUse }
        var remarks = columns.remarks()
        for index in current.indices where current[index] {
            let remark = remarks.cells[index].text
            remarks.cells[index].text = "current resolver" + (remark.isEmpty ? "" : ", \(remark)")
        }
        var table = Table(
            [resolver] + (isByTransport ? [columns.over] : [])
                + [columns.median, columns.p95(), columns.lost, columns.count("queries", \.sent)]
                + columns.parts() + [remarks],
            caption: "\(context.span) (\(context.zone))"
        )
        table.current = current
        return table
    }
}
