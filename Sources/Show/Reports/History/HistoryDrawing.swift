import Analysis
package import Charts
import Samples

extension ChartKind {
    package static let ofWindow: [ChartKind] =
        overTime + [.places, .distribution, .percentiles, .bars, .opening]

    /// Whether the chart is drawn from hours, even for a short window.
    package var isHourly: Bool { self == .heatmap }

    /// Whether time runs from left to right.
    package var tellsChanges: Bool { self == .timeline || self == .smoke }

    /// Whether the chart is drawn from the times of all answers.
    var tellsTimes: Bool { self == .distribution || self == .percentiles }
}

/// A chart of a window: one picture, one picture per resolver, or lines for a terminal.
package struct HistoryDrawing: Sendable {
    let kind: ChartKind
    let timelines: [ResolverTimeline]
    private let timeline: HistoryTimeline
    private let notes: [Warning]
    /// The subjects of a chart of many places; empty if it shows each place.
    private let selection: [String]
    /// The sentence that names the removed values, at the end of every picture.
    package var redaction: String?

    package init(_ kind: ChartKind, of timeline: HistoryTimeline) {
        self.init(kind, of: timeline, timeline.notes) { ResolverTimeline.overPlaces(of: timeline) }
    }

    private init(
        _ kind: ChartKind,
        of timeline: HistoryTimeline,
        _ notes: [Warning],
        overPlaces: () -> [ResolverTimeline]
    ) {
        self.kind = kind
        self.timeline = timeline
        (timelines, selection) = ResolverTimeline.drawn(kind, of: timeline, overPlaces: overPlaces)
        self.notes = notes
    }

    /// A chart of each of `kinds`.
    package static func all(
        _ kinds: [ChartKind],
        of timeline: HistoryTimeline
    ) -> [HistoryDrawing] {
        let (notes, hourly) = (timeline.notes, timeline.byTheHour)
        // For thousands of places they take long.
        lazy var lines = ResolverTimeline.overPlaces(of: timeline)
        lazy var hours = ResolverTimeline.overPlaces(of: hourly)
        return kinds.map { kind in
            kind.isHourly
                ? HistoryDrawing(kind, of: hourly, notes) { hours }
                : HistoryDrawing(kind, of: timeline, notes) { lines }
        }
    }

    package var isEmpty: Bool { timeline.hours.subjects.isEmpty }

    /// Whether the data of the chart was not measured, or is missing from hourly sums.
    package var showsNothing: Bool {
        isEmpty || (kind == .opening && timelines.charts(.opening).isEmpty)
    }

    package var sheet: Sheet { sheet(timelines, history: history) }

    package func svg() -> String { sheet.svg() }

    /// One picture per resolver. Charts over time have the axes and colours of all resolvers.
    package func singles() -> [(name: String, svg: String)] {
        // The parts of a bar are in several series.
        if kind == .opening {
            return timelines.byResolver.filter { !$0.timelines.charts(.opening).isEmpty }
                .map { ($0.resolver, sheet($0.timelines, history: nil).svg()) }
        }
        if kind == .places {
            let columns = timelines.columns
            return Dictionary(grouping: timelines) { columns[$0.subject] ?? $0.name }
                .sorted { $0.key < $1.key }.map { ($0, sheet($1, history: nil).svg()) }
        }
        let charts = history.map(\.single)
        return timelines.enumerated().map { index, resolver in
            (resolver.name, sheet([resolver], history: charts?[index]).svg())
        }
    }

    /// Every resolver in one picture for a page. Its words state only what the page does not.
    package var figure: Sheet {
        let findings = kind.tellsChanges ? timelines.flatMap(\.findings) : []
        var sheet = sheet(timelines, history: history)
        // The report has the figures.
        if findings.isEmpty, kind != .heatmap { sheet.title = "" }
        (sheet.subtitle, sheet.footer) = ("", selection.joined(separator: " "))
        return sheet
    }

    private func sheet(_ drawn: [ResolverTimeline], history: Chart?) -> Sheet {
        let sentences = timeline.sentences(of: drawn, as: kind)
        return Sheet(
            title: sentences.first ?? "",
            subtitle: sentences.dropFirst().joined(separator: " "),
            charts: history.map { [$0] } ?? drawn.charts(kind),
            footer: footer(of: drawn)
        )
    }

    private var history: Chart? {
        ChartKind.overTime.contains(kind)
            ? Chart(kind, of: timelines.map(\.timelineSubject), over: TimeScale(timeline.context))
            : nil
    }

    /// The amount, place and time of the measurement, the excluded rounds, and the source of the figures.
    private func footer(of drawn: [ResolverTimeline]) -> String {
        // A chart over time shows clock changes itself.
        let isTold = ChartKind.overTime.contains(kind)
        let said = notes.filter { !isTold || $0.code != "clock-change" }.map(\.text)
        let source = timeline.hours.provenance.text(toolVersion: timeline.context.toolVersion)
        let end = [source, redaction].compactMap(\.self)
        return ([timeline.scope(of: drawn)] + selection + said + end).joined(separator: " ")
    }

    /// Lines of at most `width` columns with a line break at the end of each; plots over time share `height`
    /// lines, if they remain readable.
    package func text(width: Int, height: Int, colour: Bool) -> String {
        let width = max(20, width)
        let prose = min(width, 100)
        let sentences = timeline.sentences(of: timelines, as: kind)
        let headline = (sentences.first ?? "").wrapped(to: prose)
            .map { StyledText(text: $0, style: .strong).rendered(colour: colour) }
        let rest = sentences.dropFirst().joined(separator: " ").wrapped(to: prose)
        // A chart over time has its own words.
        let stopped =
            history == nil
            ? timelines.compactMap { resolver in resolver.stopped.map { "\(resolver.name): \($0)." }
            } : []
        let footer = (stopped + [footer(of: timelines)]).joined(separator: " ").wrapped(to: prose)
        let blocks = [headline + rest] + plots(width: width, height: height, colour: colour)
        return (blocks + [footer]).filter { !$0.isEmpty }.joined(separator: [""])
            .map { $0 + "\n" }.joined()
    }

    private func plots(width: Int, height: Int, colour: Bool) -> [[String]] {
        guard !timelines.isEmpty else { return [] }
        if kind == .opening {
            return timelines.charts(.opening).map {
                Table(openings: $0.subjects).lines(width: width)
            }
        }
        if kind == .places {
            return timelines.charts(.places).map { chart in
                let name = chart.scope.isEmpty ? [] : ["\(chart.scope):".sentenceStart]
                return name
                    + Table(places: PlaceGrid(chart.subjects), width: width)
                    .lines(width: width, colour: colour)
            } + [Table.placesKey.wrapped(to: min(width, 100))]
        }
        if kind == .percentiles || history != nil, width < TerminalHistory.leastWidth {
            let least = TerminalHistory.leastWidth
            let words = "This chart needs a terminal at least \(least) columns wide."
            return [words.wrapped(to: width)]
        }
        if kind == .percentiles {
            return timelines.charts(.percentiles).map {
                percentiles($0, width: width, height: height)
            }
        }
        guard let history else { return bars(width: width, colour: colour) }
        let room = height / timelines.count - 3
        let chart = TerminalHistory(history, width: width, height: min(max(room, 4), 10))
        let blocks = chart.blocks.map { block in
            let label = block.label.truncated(to: width)
            return [StyledText(text: label, style: .strong).rendered(colour: colour)]
                + block.rows.map(\.trimmedAtEnd)
                + [StyledText(text: chart.axis, style: .faint).rendered(colour: colour)]
        }
        let key = ([chart.key] + chart.notes).flatMap { $0.wrapped(to: min(width, 100)) }
        return blocks + [key]
    }

    /// The plot of a series with its labels on the right, with at most a third of the width. If the plot
    /// needs the whole width, the labels are below.
    private func percentiles(_ chart: Chart, width: Int, height: Int) -> [String] {
        let heading = chart.scope.isEmpty ? [] : ["\(chart.scope):".sentenceStart]
        let wanted = min(width / 3, 30)
        let names = width - wanted < TerminalHistory.leastWidth ? 0 : wanted
        let plot = TerminalPercentiles(chart, width: width - names, height: height - 14)
        let rows = plot.rows.map { row in
            "\(row.plot) \(row.label.truncatedInside(to: names - 1))".trimmedAtEnd
        }
        let labels = plot.rows.map(\.label).filter { names == 0 && !$0.isEmpty }
        return heading + rows + [plot.axis] + labels.map { $0.truncatedInside(to: width) }
            + plot.key.flatMap { $0.wrapped(to: min(width, 100)) }
    }

    /// One table per series, under its heading if there are several.
    private func bars(width: Int, colour: Bool) -> [[String]] {
        let targets = timelines.map(\.subject.target)
        let isOfOnePlace = Set(timelines.map(\.subject.vantage)).count == 1
        let parts = Series.allCases.map { series in
            timelines.map(\.figures).filter { $0.target.series == series }
        }
        .filter { !$0.isEmpty }
        return parts.flatMap { rows -> [[String]] in
            let groups = ResolverGroups(rows, of: isOfOnePlace ? targets : [])
            let table = Table(groups.ranking(nil))
            let series = rows[0].target.series.wording
            let heading = StyledText(text: "\(series):", style: .strong).rendered(colour: colour)
            return [
                (parts.count > 1 ? [heading] : []) + table.lines(width: width, colour: colour),
                ResolverColumns(rows: rows).openings.lines(width: width),
            ]
        }
        .filter { !$0.isEmpty }
    }
}
