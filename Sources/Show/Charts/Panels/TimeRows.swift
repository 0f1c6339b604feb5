import Statistics

/// The plots of a chart over time, one per resolver on the same axes, with gaps, moments and figures.
struct TimeRows {
    /// One resolver's row, with its marked moments in order.
    typealias Row = (
        subject: ChartSubject, style: SeriesStyle, columns: TimeColumns, marks: [TimeMark],
        outages: [Range<Int64>]
    )

    /// The minimum width of an outage in pixels. It is visible at every scale.
    private static let leastOutage = 2.0

    private static let lane = 14.0
    private static let left = 44.0

    let rows: [Row]
    let scale: TimeScale
    /// The vertical axis. It also covers the resolvers that are not drawn.
    let durations: Axis
    /// The length of a column in seconds, if bins share columns.
    private let span: Int64?
    /// The height below each plot that the chart may use.
    private let strip: Double
    private let omission: [String]

    /// Joins bins into at most `columnLimit` columns. The axis covers the quantile `reach` of most columns.
    init(
        _ chart: Chart,
        columnLimit: Int,
        strip: Double = 0,
        reach: KeyPath<LatencySummary, Double?> = \.p95
    ) {
        let (subjects, scale) = (chart.subjects, chart.scale)
        let span = TimeColumns.span(of: subjects, over: scale, limit: columnLimit)
        let columns = subjects.map { TimeColumns($0, over: scale, span: span) }
        rows = chart.drawn.map { subject, index, style in
            let marks = scale.visible(subject.marks).sorted { $0.moment < $1.moment }
            let outages = subject.outages.filter { $0.overlaps(scale.extent) || $0.isEmpty }
                .map { $0.clamped(to: scale.extent) }
            return (subject, style, columns[index], marks, outages)
        }
        durations = Self.axis(of: columns, reach: reach, subjects.map(\.summary.timeout))
        self.scale = scale
        self.span = span
        self.strip = strip
        omission = chart.omission
    }

    /// An axis for the usual times of the resolvers. A few columns may exceed it, so that one bad hour does
    /// not compress months.
    static func axis(
        of columns: [TimeColumns],
        reach: KeyPath<LatencySummary, Double?>,
        _ timeouts: [Double]
    ) -> Axis {
        func sorted(_ quantile: KeyPath<LatencySummary, Double?>) -> [[Double]] {
            columns.map { $0.columns.compactMap { $0.summary[keyPath: quantile] }.sorted() }
                .filter { !$0.isEmpty }
        }
        let medians = sorted(\.median)
        let tops = (medians + sorted(reach)).map { $0[min($0.count - 1, $0.count * 95 / 100)] }
        return Axis.durations(
            tops.isEmpty ? timeouts : tops + medians.map { $0[0] },
            typical: medians.map { $0[$0.count / 2] },
            tickCount: 5
        )
    }

    var nothing: String? {
        rows.allSatisfy(\.columns.segments.isEmpty) ? "Nothing was measured in this window." : nil
    }

    var notes: [String] {
        var axes = durations.isLogarithmic ? "Logarithmic axis. " : ""
        if let span { axes += "Each column: \(TimeColumns.words(span)). " }
        if rows.contains(where: { !gaps(of: $0).isEmpty }) { axes += "Hatched: not measured. " }
        if rows.contains(where: { !$0.outages.isEmpty }) {
            axes += "Crossed: no answer (at least \(Int(Self.leastOutage)) pixels wide). "
        }
        if rows.flatMap(\.marks).contains(where: { $0.kind == .site }) {
            axes += "Dotted line: another site answers from then on (NSID). "
        }
        return (axes.isEmpty ? [] : [axes]) + FigureText.stops(rows.map(\.subject))
            + scale.clockNotes + omission
    }

    /// The note that times beyond the axis are clipped.
    var clipping: String {
        "Clipped at the top: times above \(FigureText.milliseconds(durations.upper))."
    }

    private var plotHeight: Double {
        switch rows.count {
        case ...1: 240
        case ...3: 160
        case ...6: 130
        default: 100
        }
    }

    /// The rows and the tick labels. `content` draws the inside of each plot.
    func drawing(below edge: Edge, content: (Row, Plot) -> [Mark]) -> Drawing {
        var (marks, edge): Drawing = ([], edge)
        for row in rows {
            let width = edge.width - Self.left
            let labels = MomentLabels(
                row.marks.map { (scale.axis.position(Double($0.moment)) * width, $0.label) },
                width: width
            )
            let top = 21 + Double(labels.count) * Self.lane
            let room = edge.room(top: top, left: Self.left, height: plotHeight)
            let plot = Plot(frame: room, horizontal: scale.axis, vertical: durations)
            marks.append(row.subject.heading(from: Point(room.x, edge.y + 13), to: room.right))
            marks +=
                gaps(of: row, on: plot) + outages(of: row, on: plot)
                + plot.grid(of: scale, to: room.bottom + strip)
            marks += plot.levels()
            marks.append(
                .group(
                    tooltip: row.subject.tooltip,
                    isPale: row.subject.stopped != nil,
                    content(row, plot)
                )
            )
            marks += moments(of: row, labels, on: plot)
            edge = edge.below(top + plotHeight + strip + 13)
        }
        marks += scale.labels(from: edge.x + Self.left, to: edge.right, y: edge.y - 2)
        return (marks, edge.below(20))
    }

    /// The times without a measurement. Rounds without any answer were measured.
    private func gaps(of row: Row) -> [Range<Int64>] {
        row.outages.reduce(row.columns.gaps) { gaps, outage in
            gaps.flatMap { gap in
                guard gap.overlaps(outage) else { return [gap] }
                let parts = [
                    gap.lowerBound..<max(gap.lowerBound, outage.lowerBound),
                    min(gap.upperBound, outage.upperBound)..<gap.upperBound,
                ]
                // Bins are longer than the rounds at the ends of an outage.
                return parts.filter { $0.upperBound - $0.lowerBound > columnLength }
            }
        }
    }

    /// The length of a column in seconds.
    private var columnLength: Int64 {
        span ?? rows.flatMap(\.columns.columns).map(\.bin.length).max() ?? 0
    }

    private func outages(of row: Row, on plot: Plot) -> [Mark] {
        row.outages.flatMap { outage -> [Mark] in
            var area = plot.extent(of: outage, least: Self.leastOutage)
            area.height += strip
            return [.rect(area, .outage)]
                + [Mark].paths([(.crossing(area, gap: 9), .outageLines)])
        }
    }

    private func gaps(of row: Row, on plot: Plot) -> [Mark] {
        gaps(of: row).flatMap { gap -> [Mark] in
            var area = plot.extent(of: gap, least: 0.6)
            area.height += strip
            return [.rect(area, .gap)] + [Mark].paths([(.hatching(area, gap: 9), .hatch)])
        }
    }

    private func moments(of row: Row, _ labels: MomentLabels, on plot: Plot) -> [Mark] {
        zip(row.marks, labels.places).map { mark, place in
            var top = plot.frame.y
            var text: [Mark] = []
            if let (lane, label) = place {
                let start = Point(plot.frame.x + label.x, top - 5 - Double(lane) * Self.lane)
                text = [.text(label.text, at: start, anchor: label.anchor, .small)]
                top = start.y - 8
            }
            let x = plot.x(Double(mark.moment))
            let style: MarkStyle = mark.kind == .site ? .site : .moment
            let line = Mark.upright(x, from: top, to: plot.frame.bottom, style)
            return .group(tooltip: mark.detail ?? mark.label, [line] + text)
        }
    }
}

extension Plot {
    /// The part of the plot that an interval of time covers, at least `least` wide.
    func extent(of interval: Range<Int64>, least: Double) -> Rect {
        let left = x(Double(interval.lowerBound))
        let width = max(x(Double(interval.upperBound)) - left, least)
        let start = min(left, frame.right - width)
        return Rect(x: start, y: frame.y, width: width, height: frame.height)
    }
}

extension ChartSubject {
    /// The minimum width of a label. Longer labels may be shortened to it.
    private static let leastLabel = 135.0

    /// The heading above the plot, from `start` to `right`: label, role and figures.
    func heading(from start: Point, to right: Double) -> Mark {
        let strong = TextStyle.strong
        let note = role.note.map { " – \($0)" } ?? ""
        let wanted = min(strong.width(label), Self.leastLabel) + strong.width(note)
        func room(_ figures: String) -> Double {
            right - start.x - TextStyle.figure.width(figures) - 20
        }
        // A readable name takes precedence over more figures.
        let told = figures.first { room($0) >= wanted } ?? figures[figures.count - 1]
        let name = strong.elided(label, to: room(told) - strong.width(note))
        return .group(
            tooltip: tooltip,
            [
                .text(name + note, at: start, .strong),
                .text(told, at: Point(right, start.y), anchor: .end, .figure),
            ]
        )
    }

    /// The figures, from the most detailed text to the shortest.
    private var figures: [String] {
        guard summary.count > 0 else { return ["nothing was measured"] }
        let (median, p95) = FigureText.quantiles(summary)
        let failed = "failed \(FigureText.share(summary.failed, of: summary.count))"
        return ["\(median), \(p95), \(failed)", "\(median), \(failed)", median]
    }
}
