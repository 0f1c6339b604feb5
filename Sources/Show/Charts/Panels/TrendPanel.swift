import Statistics

/// The medians of all resolvers over time in one plot, one line per resolver.
struct TrendPanel: Panel {
    private static let labelGap = 16.0

    private let lines: [(subject: ChartSubject, style: SeriesStyle, columns: TimeColumns)]
    private let scale: TimeScale
    private let durations: Axis
    private let omission: [String]

    init(_ chart: Chart) {
        lines = chart.drawn.map {
            ($0.subject, $0.style, TimeColumns($0.subject, over: chart.scale, span: nil))
        }
        scale = chart.scale
        durations = TimeRows.axis(
            of: lines.map(\.columns),
            reach: \.median,
            lines.map(\.subject.summary.timeout)
        )
        omission = chart.omission
    }

    var nothing: String? {
        lines.allSatisfy(\.columns.segments.isEmpty) ? "Nothing was measured in this window." : nil
    }

    var notes: [String] {
        let logarithmic = durations.isLogarithmic ? ", logarithmic axis" : ""
        let isClipped = lines.flatMap(\.columns.columns).contains {
            ($0.summary.median ?? 0) > durations.upper
        }
        let axes = "y axis: median query time of an hour (ms\(logarithmic)); x axis: time."
        return [axes + (isClipped ? " Clipped at the top." : "")] + scale.clockNotes + omission
    }

    func drawing(below edge: Edge) -> Drawing {
        let widest = lines.map { TextStyle.strong.width(label($0.subject)) }.max() ?? 0
        let labelWidth = min(widest + 1, 200, edge.width / 3)
        let gutter = edge.isNarrow ? 18.0 : 30
        let height = max(edge.isNarrow ? 190 : 230, Double(lines.count) * Self.labelGap + 8)
        let margin = labelWidth + gutter + 12
        let room = edge.room(top: 6, left: 40, right: margin, height: height)
        let plot = Plot(frame: room, horizontal: scale.axis, vertical: durations)
        let marks =
            [Mark.rect(room, .plot)] + plot.uprights(of: scale) + plot.levels()
            + lines.map { line in
                .group(
                    tooltip: line.subject.tooltip,
                    .paths([(path(line.columns, on: plot), .curve(line.style))])
                )
            }
        let labels = labels(on: plot, gutter: gutter, width: labelWidth)
        return (marks + labels, edge.below(6 + height + 24))
    }

    /// The name, shortened so that the label fits into `limit`.
    private func label(_ subject: ChartSubject, within limit: Double = .infinity) -> String {
        let ink: TextStyle = subject.role == .current ? .strong : .label
        let silence = subject.summary.answered == 0 ? " – no answer" : ""
        return ink.elided(subject.label, to: limit - ink.width(silence)) + silence
    }

    /// The line, interrupted where nothing was measured or less than half of the queries were answered.
    private func path(_ columns: TimeColumns, on plot: Plot) -> Path {
        var path = Path()
        for segment in columns.segments {
            let runs = segment.chunked { ($0.summary.median == nil) == ($1.summary.median == nil) }
            for run in runs {
                let points = run.compactMap { column in
                    column.summary.median.map { plot.point(Double(column.bin.middle), $0) }
                }
                path.append(Path(through: points))
            }
        }
        return path
    }

    /// Labels to the right of the line ends. Labels that would touch are moved apart and have leaders. Labels
    /// without a line are at the top.
    private func labels(on plot: Plot, gutter: Double, width: Double) -> [Mark] {
        let ends = lines.map { line in
            line.columns.columns.last { $0.summary.median != nil }?.summary.median.map(plot.y)
                ?? plot.frame.y
        }
        let order = lines.indices.sorted { (ends[$0], $0) < (ends[$1], $1) }
        let range = (plot.frame.y + 4)...(plot.frame.bottom - 4)
        let places = LabelPlacement.spread(order.map { ends[$0] }, gap: Self.labelGap, in: range)
        return zip(order, places).map { index, y in
            let (subject, style, _) = lines[index]
            let x = plot.frame.right + gutter
            let leader = [
                Point(plot.frame.right + 3, ends[index]), Point(x - 9, y), Point(x - 4, y),
            ]
            let ink: TextStyle = subject.role == .current ? .strong : .label
            let text = label(subject, within: width)
            return .group(
                tooltip: subject.tooltip,
                [
                    .path(Path(through: leader), .thin(style)),
                    .text(text, at: Point(x, y + 4.5), ink),
                ]
            )
        }
    }
}

/// The medians that a chart draws, hour by hour, in milliseconds. A value is `nil` if less than half of the
/// queries were answered. Hours without measurements are absent.
package typealias TrendReadings = (
    labels: [String], hours: [(start: Int64, length: Int64, medians: [Double??])]
)

extension Chart {
    package var readings: TrendReadings {
        let drawn = drawn.map(\.subject)
        var medians: [Range<Int64>: [Double??]] = [:]
        for (place, subject) in drawn.enumerated() {
            for bin in subject.bins where scale.shows(bin) {
                let none = [Double??](repeating: nil, count: drawn.count)
                let median = bin.median(timeout: subject.summary.timeout)
                medians[bin.interval, default: none][place] = .some(median)
            }
        }
        let hours = medians.sorted { $0.key.lowerBound < $1.key.lowerBound }
        return (
            drawn.map(\.label),
            hours.map { ($0.key.lowerBound, $0.key.upperBound - $0.key.lowerBound, $0.value) }
        )
    }
}
