import Statistics

/// The share of queries that were answered within a time, a line a resolver. Queries without an
/// answer are part of the whole, so that the line of a lossy resolver ends below 100 %.
struct DistributionPanel: Panel {
    private static let labelGap = 16.0

    private let lines: [DistributionLine]
    private let others: [DistributionLine]
    private let leastHeight: Double

    /// On the axis of `all`, where that is more than `subjects`.
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
        let losses = labelled.contains { $0.lost > 0 && !$0.isSilent }
        let rest = lines.count - labelled.count
        return [losses ? reading + " Bracket up to 100 %: packet loss." : reading]
            + (rest == 0 ? [] : ["\(rest) more in grey, without labels."])
    }

    func drawing(below edge: Edge) -> Drawing {
        // The labels of plots below each other begin at the same place.
        // Where it is narrow, the losses are told by the brackets alone.
        let labels = (labelled + others).map { $0.label(tellsLoss: !edge.isNarrow) }
        let widest = labels.map(TextStyle.label.width).max() ?? 0
        let labelWidth = min(widest + 1, 240, edge.width / 3)
        // Between the plot and the labels there are leaders.
        let gutter = edge.isNarrow ? 24.0 : 40
        let height = max(leastHeight, Double(labelled.count) * Self.labelGap + 24)
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
        let ends = endLabels(plot: plot, gutter: gutter) {
            $0.label(tellsLoss: !edge.isNarrow, within: labelWidth)
        }
        return (axes + byImportance.map { $0.curve(on: plot) } + ends, edge.below(height + 38))
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

    /// Labels right of the line ends, moved apart where they would touch, with a leader each.
    private func endLabels(
        plot: Plot,
        gutter: Double,
        text: (DistributionLine) -> String
    ) -> [Mark] {
        let labelled = labelled.sorted { $0.subject.isAbove($1.subject) }
        let wishes = labelled.map { plot.y($0.finalShare) }
        let range = (plot.frame.y + 4)...(plot.frame.bottom - 4)
        let places = LabelPlacement.spread(wishes, gap: Self.labelGap, in: range)
        var rank = 0
        return labelled.indices.compactMap { index in
            let line = labelled[index]
            guard let style = line.style else { return nil }
            let end = Point(plot.frame.right + gutter - 6, places[index])
            let leader = [Point(plot.frame.right + 3, wishes[index]), Point(end.x - 6, end.y), end]
            let marker = style.marker.outline(at: Point(end.x + 6, end.y), radius: 4)
            let gap = line.lossGap(on: plot, rank: rank)
            if !gap.isEmpty { rank += 1 }
            return .group(
                tooltip: line.tooltip,
                [
                    .path(Path(through: leader), .thin(style)), .path(marker, .marker(style)),
                    .text(text(line), at: Point(end.x + 15, end.y + 4.5), .label),
                ] + gap
            )
        }
    }
}

/// One resolver's empirical distribution function, over all its queries.
struct DistributionLine {
    /// Beyond this no count is meant; sums stay defined.
    private static let credible = 1 << 40

    let subject: ChartSubject
    let style: SeriesStyle?
    /// Where the line rises, ascending: so many answers took from `lower` to `upper` milliseconds.
    let rises: [(lower: Double, upper: Double, count: Int)]
    let lost: Int
    private let answered: Int

    init(subject: ChartSubject, style: SeriesStyle?) {
        self.subject = subject
        self.style = style
        let times = subject.answers.filter(\.isFinite).sorted()
        if subject.sketch.count > 0 {
            var sketch = subject.sketch
            for time in times { sketch.insert(time) }
            rises = sketch.buckets
            answered = min(sketch.count, Self.credible)
        } else {
            rises = times.map { ($0, $0, 1) }
            answered = times.count
        }
        lost = min(subject.summary.lost, Self.credible)
    }

    private var total: Int { answered + lost }

    /// The time within which half of the queries were answered; `nil` where fewer were.
    var median: Double? { subject.summary.median }

    /// Whether no query was answered: its line stays at 0 %.
    var isSilent: Bool { answered == 0 && lost > 0 }

    /// The share of queries that were answered at all, in per cent.
    var finalShare: Double { total == 0 ? 0 : Double(answered) / Double(total) * 100 }

    /// The text beside the end of the line, with the name elided so that it is no wider than `limit`.
    func label(tellsLoss: Bool = true, within limit: Double = .infinity) -> String {
        let loss =
            isSilent
            ? " – no answer"
            : tellsLoss && lost > 0 ? " – lost \(FigureText.share(lost, of: total))" : ""
        return TextStyle.label.elided(subject.label, to: limit - TextStyle.label.width(loss)) + loss
    }

    var tooltip: String {
        let half = median.map { "half within \(FigureText.milliseconds($0)), " } ?? ""
        return "\(subject.label): \(half)\(FigureText.losses(lost, of: total))"
    }

    /// The line, step by step where the times are known; those that share half a pixel are one.
    func curve(on plot: Plot) -> Mark {
        func halfPixel(_ time: Double) -> Double { (plot.x(time) * 2).rounded() / 2 }
        var points = [Point(plot.frame.x, plot.y(0))]
        var level = plot.y(0)
        var count = 0
        for step in rises.chunked(by: { halfPixel($0.upper) == halfPixel($1.upper) }) {
            let first = step[step.startIndex]
            count += step.reduce(0) { $0 + $1.count }
            points.append(Point(halfPixel(first.lower), level))
            level = plot.y(Double(count) / Double(total) * 100)
            points.append(Point(halfPixel(first.upper), level))
        }
        points.append(Point(plot.frame.right, level))
        let line = Mark.path(Path(through: points), style == nil ? .thin(nil) : .curve(style))
        guard let median, let style else { return .group(tooltip: tooltip, [line]) }
        let marker = style.marker.outline(at: plot.point(median, 50), radius: 4.5)
        return .group(tooltip: tooltip, [line, .path(marker, .marker(style))])
    }

    /// A bracket over what is missing to 100 %; `rank` keeps those of several lines apart. Where all
    /// is missing there is none: it would look like a line that rises to 100 %.
    func lossGap(on plot: Plot, rank: Int) -> [Mark] {
        guard lost > 0, !isSilent else { return [] }
        let x = plot.frame.right - 8 - Double(rank) * 11
        let (low, high) = (plot.y(finalShare), plot.y(100))
        return [.upright(x, from: low, to: high, .stroke(style))]
            + [low, high].map { .level($0, from: x - 3, to: x + 3, .stroke(style)) }
    }
}
