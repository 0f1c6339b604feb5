import Analysis
import Charts
import Samples
import Statistics

/// The addresses of the pages of a resolver (by its label), of a comparison of two resolvers (the current one
/// first), and of a place.
package typealias PageLinks = (
    resolver: @Sendable (String) -> String, comparison: @Sendable (String, String) -> String,
    place: @Sendable (String) -> String
)

extension OverviewReport {
    /// The answer, the verdict, the spans, the chart of the hours, and the changes.
    package func fragments(_ links: PageLinks) -> [HTML] {
        [
            PageFragments.answer(
                status.sentence,
                scope: freshness == status.sentence ? "" : freshness,
                details: statusDetails,
                isBad: status.isBad
            ),
            PageFragments.section("Places", id: "places", places?.tables(links.place) ?? []),
            objectiveSection, verdictSection(links),
            PageFragments.section("Current resolver", id: "current", [spansTable.html]),
            PageFragments.section(
                longest.sentenceStart,
                id: "trend",
                trendFigure
            ),
            PageFragments.changes(
                changes.changes.incidents,
                clock: context.clock,
                first: changes.fleetSentences
            ),
        ]
    }

    /// The resolver in use over each span, and the lowest median.
    private var spansTable: Table {
        guard inUse != nil, vantages.count == 1 else { return Table([]) }
        let measured = spans.compactMap { $0.health?.row }
        let columns = ResolverColumns(rows: measured)
        let figures =
            ([columns.median, columns.failed] + columns.availability
            + [columns.count("queries", \.sent)]).map { column in
                var (column, cells) = (column, column.cells[...])
                column.cells = spans.map { $0.health?.row == nil ? "–" : cells.removeFirst() }
                return column
            }
        let periods = spans.map { span in
            Table.Cell(
                span.period.title,
                note: span.health?.status,
                style: span.health?.isBad == true ? .warning : .plain
            )
        }
        let leaders = spans.map { span in
            guard let (names, median, interval, among) = lowest(in: span) else {
                return Table.Cell("–")
            }
            let notes = [interval, among].compactMap(\.self).joined(separator: ", ")
            return Table.Cell("\(names) \(median)", note: notes.isEmpty ? nil : notes)
        }
        var table = Table(
            [.init(inUse.map(EscapedText.terminal) ?? "", periods, .heading)] + figures
                + [.init("lowest median", leaders)],
            caption: "Below each figure its 95 % confidence interval."
        )
        table.isSortable = false
        return table
    }

    private var objectiveSection: HTML {
        let shown = objectiveSentence.flatMap { $0 == status.sentence ? nil : $0 }
        let lines = shown.map { [HTML(.p, HTML(text: $0))] } ?? []
        return PageFragments.section("Objective", id: "objective", lines)
    }

    private func verdictSection(_ links: PageLinks) -> HTML {
        guard let verdict, let inUse, let comparison else { return .nothing }
        let other = comparison.rows.first { $0.target.label != inUse }?.target.label
        let link = other.map { other in
            HTML(.p, HTML(.a, [.href(links.comparison(inUse, other))], "Compare two resolvers"))
        }
        let advice = Advice(of: comparison).flatMap { advice in
            advice.html.isEmpty
                ? nil : PageFragments.folded(advice.title, advice.html)
        }
        return PageFragments.section(
            "Is another one better?",
            id: "verdict",
            [
                verdict.headline == status.sentence
                    ? .nothing : HTML(.p, [.class("finding")], HTML(text: verdict.headline)),
                PageFragments.list(verdict.details),
                HTML(.p, [.class("scope")], HTML(text: verdict.scope)),
                advice ?? .nothing, link ?? .nothing,
            ]
        )
    }

    /// The chart of the hours, and the values of the last hour. The script of the page shows the values of
    /// other hours.
    private var trendFigure: [HTML] {
        let chart = Chart(.trend, of: trend, over: TimeScale(context))
        let (labels, hours) = chart.readings
        let lines = hours.map { hour in reading(labels, hour.start, hour.medians) }
        guard let last = lines.last else { return [] }
        let window = (
            start: chart.scale.window.lowerBound, length: Double(chart.scale.window.count)
        )
        let data = zip(hours, lines).map { hour, line in
            let middle = Double(hour.start + hour.length / 2 - window.start) / window.length
            return JSONValue.array([.number(middle, least: 4, most: 4), .string(line)])
        }
        let readout = HTML(
            .p,
            [.class("readout"), .series(JSONValue.array(data).text())],
            HTML(text: last)
        )
        return [PageFragments.figure(Sheet(charts: [chart], identifier: "trend")), readout]
    }

    /// The values of an hour, such as `Mon 2026-11-23 09:00: alpha 13.4 ms, system 20.7 ms`.
    private func reading(_ labels: [String], _ start: Int64, _ medians: [Double??]) -> String {
        let format = LatencyFormat(fitting: medians.compactMap { $0 ?? nil })
        let beyond = LatencyFormat.beyond(trend.map(\.summary.timeout).min() ?? 0)
        let values = zip(labels, medians).compactMap { label, median -> String? in
            guard let median else { return nil }
            return "\(label) \(median.map(format.prose) ?? beyond)"
        }
        let moment = Timestamp(wholeSeconds: start).map(context.clock.text) ?? ""
        return "\(moment): \(values.joined(separator: ", "))"
    }
}

extension WindowReport {
    package var isEmpty: Bool { rows.isEmpty }

    package func fragments(_ links: PageLinks, inUse: String?) -> [HTML] {
        guard !rows.isEmpty else { return [HTML(.p, HTML(text: context.nothing))] }
        return [
            PageFragments.list(partNote),
            PageFragments.figure(Sheet(charts: charts, identifier: "bars")),
            table(links, inUse: inUse).html,
            PageFragments.encryption(encryption.map(\.words)),
        ]
    }

    package var remarks: [HTML] {
        [PageFragments.list(notes.map(\.pageText))]
    }

    private var charts: [Chart] {
        if grouping == .vantage { return placesCharts }
        return Series.allCases.compactMap { series in
            let members = figures.filter { $0.target.series == series }
            let subjects = members.map { row in
                let name = EscapedText.terminal(label(row.name, of: row))
                var subject = ChartSubject(label: name, summary: row.latency)
                subject.order = context.order.place(of: row.target.label)
                return subject
            }
            return members.isEmpty ? nil : Chart(.bars, of: subjects)
        }
    }

    /// Places, and resolvers over several places.
    private var placesCharts: [Chart] {
        Chart.places(
            shownRows.map { row in
                let figures = row.figures
                let subject = HistoryHours.Subject(vantage: row.group.title, target: figures.target)
                return (subject, EscapedText.terminal(figures.name), figures.latency)
            }
        )
    }

    func label(_ name: String, of row: ResolverSummary) -> String {
        row.target.series.naming(name, among: series)
    }

    private func table(_ links: PageLinks, inUse: String?) -> Table {
        let rows = shownRows
        let columns = ResolverColumns(rows: rows.map(\.figures))
        let resolver = Table.Column(
            "resolver",
            rows.map { row in
                let (figures, target) = (row.figures, row.figures.target)
                let own = target.unnamed(at: row.group.title)
                // Sorting the table would separate the rows of a resolver.
                let name = isByTransport || own != target ? own.label : figures.name
                return Table.Cell(label(name, of: figures), link: links.resolver(own.label))
            },
            .heading
        )
        let place = Table.Column(
            "place",
            rows.map(\.group.title).map {
                Table.Cell(EscapedText.terminal($0), link: links.place($0))
            }
        )
        let current = rows.map { row in
            row.figures.target.unnamed(at: row.group.title).label == inUse
        }
        var remarks = columns.remarks()
        for index in current.indices where current[index] {
            let remark = remarks.cells[index].text
            remarks.cells[index].text = "current resolver" + (remark.isEmpty ? "" : ", \(remark)")
        }
        var table = Table(
            [resolver] + (grouping == .vantage ? [place] : [])
                + (isByTransport ? [columns.over] : [])
                + [columns.median, columns.failed, columns.p95] + columns.availability
                + [columns.count("queries", \.sent)]
                + columns.parts() + [remarks],
            caption: "\(context.span)\(context.zoneNote)"
        )
        table.current = current
        return table
    }
}
