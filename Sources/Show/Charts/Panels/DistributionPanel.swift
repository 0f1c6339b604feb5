import Statistics

/// The share of queries answered within a time, one line per resolver. Queries without an answer count, so
/// the line of a lossy resolver ends below 100 %.
struct DistributionPanel: Panel {
    private let lines: [DistributionLine]
    private let others: [DistributionLine]
    private let leastHeight: Double

    /// Uses the axis of `all` if it contains more subjects than `subjects`.
    init(
        subjects: [ChartSubject],
        comparedWith all: [ChartSubject] = [],
        leastHeight: Double = 270
    ) {
        let styles = SeriesStyle.assigned(to: subjects)
        lines = zip(subjects, styles).map(DistributionLine.init)
        others = all.map { DistributionLine(subject: $0, style: nil) }
        self.leastHeight = leastHeight
    }

    private var labelled: [DistributionLine] { lines.filter { $0.style != nil } }

    var nothing: String? { lines.isEmpty ? "No resolvers to show." : nil }

    var notes: [String] {
        let reading = "Further left is faster. Marker: median."
        let losses = labelled.contains { $0.failed > 0 && !$0.isSilent }
        let rest = lines.count - labelled.count
        return [losses ? reading + " Bracket up to 100 %: failed queries." : reading]
            + (rest == 0 ? [] : ["\(rest) more in grey, without labels."])
            + FigureText.stops(lines.map(\.subject))
    }

    func drawing(below edge: Edge) -> Drawing {
        // The labels of stacked plots begin at the same position. In a narrow chart, only the brackets show
        // the losses.
        let widest =
            (labelled + others).map { $0.label(tellsLoss: !edge.isNarrow) }
            .map(TextStyle.label.width).max() ?? 0
        let labelWidth = min(widest + 1, 240, edge.width / 3)
        // Leaders need space between the plot and the labels.
        let gutter = edge.isNarrow ? 24.0 : 40
        let height = max(leastHeight, Double(labelled.count) * DistributionLine.labelGap + 24)
        let margin = labelWidth + gutter + 18
        let room = edge.room(top: 8, left: 50, right: margin, height: height - 8)
        let plot = Plot(
            frame: room,
            horizontal: timeAxis(tickCount: Int(room.width / 64)),
            vertical: Axis(lower: 0, upper: 100, ticks: [0, 25, 50, 75, 100])
        )
        let byImportance = lines.filter { $0.style == nil } + labelled
        let axes =
            plot.uprights() + plot.levels(unit: " %")
            + [plot.title(plot.horizontal.durationTitle)]
        let ends = labelled.sorted { $0.subject.isAbove($1.subject) }
            .map { (line: $0, y: plot.y($0.finalShare)) }
        var rank = 0
        let labels = room.endLabels(ends, gutter: gutter) { line in
            let gap = line.lossGap(on: plot, rank: rank)
            if !gap.isEmpty { rank += 1 }
            return (line.label(tellsLoss: !edge.isNarrow, within: labelWidth), gap)
        }
        return (axes + byImportance.map { $0.curve(on: plot) } + labels, edge.below(height + 38))
    }

    private func timeAxis(tickCount: Int) -> Axis {
        let compared = lines + others
        let ends = compared.flatMap { [$0.rises.first?.lower, $0.rises.last?.upper] }
            .compactMap(\.self)
        return Axis.durations(
            ends.isEmpty ? compared.map(\.subject.summary.timeout) : ends,
            typical: compared.compactMap(\.median),
            tickCount: tickCount
        )
    }
}
