import Statistics

/// The logarithmic percentile histogram (PowerDNS 2017, also drawn by DNS Shotgun and respdiff). It shows how
/// slow the slowest queries are, one line per resolver. The x axis is the share of queries that are at least
/// as slow, with the slowest at the left. Both axes are logarithmic.
struct PercentilesPanel: Panel {
    private let lines: [PercentileLine]
    private let others: [PercentileLine]
    private let leastHeight: Double

    /// Uses the axes of `all` if it contains more subjects than `subjects`.
    init(
        subjects: [ChartSubject],
        comparedWith all: [ChartSubject] = [],
        leastHeight: Double = 300
    ) {
        let styles = SeriesStyle.assigned(to: subjects)
        lines = zip(subjects, styles).map {
            PercentileLine(DistributionLine(subject: $0, style: $1))
        }
        .filter { $0.line.total > 0 }
        others = all.map { PercentileLine(DistributionLine(subject: $0, style: nil)) }
        self.leastHeight = leastHeight
    }

    private var labelled: [PercentileLine] { lines.filter { $0.line.style != nil } }

    private var compared: [PercentileLine] { lines + others }

    private var isLossy: Bool { compared.contains { $0.reachesTimeout } }

    var nothing: String? { lines.isEmpty ? "No resolvers to show." : nil }

    var notes: [String] {
        let reading =
            "Lower is faster; the slowest queries are at the left: 5 % is p95, 1 % is p99. "
            + "Marker: median."
        let timeouts = isLossy ? " Dots at the top: \(FigureText.beyond)." : ""
        let end = " A line ends where there are too few queries for a higher percentile."
        let rest = lines.count - labelled.count
        return [reading + timeouts + end]
            + (rest == 0 ? [] : ["\(rest) more in grey, without labels."])
            + FigureText.stops(lines.map(\.line.subject))
    }

    func drawing(below edge: Edge) -> Drawing {
        let widest =
            (labelled + others).map { $0.line.label(tellsLoss: !edge.isNarrow) }
            .map(TextStyle.label.width).max() ?? 0
        let labelWidth = min(widest + 1, 240, edge.width / 3)
        let gutter = edge.isNarrow ? 24.0 : 40
        let least = max(leastHeight, Double(labelled.count) * DistributionLine.labelGap + 24)
        // Above the plot, each line whose slowest queries had no answer has a lane.
        let lossy = lines.filter(\.reachesTimeout)
        let strip = isLossy ? 18 + Double(lossy.count) * Self.laneHeight : 0
        let margin = labelWidth + gutter + 18
        let whole = edge.room(top: 8, left: 58, right: margin, height: least + strip - 8)
        var frame = whole
        frame.y += strip
        frame.height -= strip
        let plot = Plot(
            frame: frame,
            horizontal: Self.shares(compared, tickCount: Int(frame.width / 40)),
            vertical: Self.times(compared, tickCount: Int(frame.height / 32))
        )
        func lane(_ line: PercentileLine) -> Double {
            let place = lossy.firstIndex { $0.line.subject.label == line.line.subject.label } ?? 0
            return whole.y + 4 + (Double(place) + 0.5) * Self.laneHeight
        }
        let timeouts =
            isLossy
            ? [
                Mark.text(
                    Self.timeoutText(compared),
                    at: Point(frame.x - 7, whole.y + (strip - 18) / 2 + 8),
                    anchor: .end,
                    .small
                )
            ] : []
        let axes = plot.uprights() + plot.levels(unit: " ms") + [plot.title(Self.title)] + timeouts
        let byImportance = lines.filter { $0.line.style == nil } + labelled
        let curves = byImportance.map { $0.curve(on: plot, lane: lane($0)) }
        let ends = labelled.map { (line: $0.line, y: $0.fastest.map(plot.y) ?? lane($0)) }
            .sorted { $0.y < $1.y }
        let labels = whole.endLabels(ends, gutter: gutter) {
            ($0.label(tellsLoss: !edge.isNarrow, within: labelWidth), [])
        }
        return (axes + curves + labels, edge.below(least + strip + 38))
    }

    private static let laneHeight = 5.0

    static let title = "slowest percentile (%, logarithmic axis)"

    /// The label of the lane beyond every time. It includes the timeout if all resolvers had the same
    /// timeout.
    static func timeoutText(_ lines: [PercentileLine]) -> String {
        let timeouts = Set(lines.map(\.line.subject.summary.timeout))
        return timeouts.count == 1
            ? timeouts.map { "> " + FigureText.timeout($0) }.joined() : "timeout"
    }

    /// The axis of shares, in per cent, from the smallest share of any line.
    static func shares(_ lines: [PercentileLine], tickCount: Int) -> Axis {
        let least = lines.map(\.leastShare).min() ?? 1
        return .logarithmic(from: least, to: 100, tickCount: tickCount)
    }

    /// The axis of the times that the lines show, in milliseconds.
    static func times(_ lines: [PercentileLine], tickCount: Int) -> Axis {
        let ends = lines.flatMap { [$0.fastest, $0.slowest] }.compactMap(\.self)
            .filter { $0 > 0 }.map { min(max($0, 0.001), Axis.credible.upperBound) }
        let timeout = lines.map(\.line.subject.summary.timeout).max() ?? 1000
        return .logarithmic(
            from: ends.min() ?? timeout / 10,
            to: ends.max() ?? timeout,
            tickCount: tickCount
        )
    }
}
