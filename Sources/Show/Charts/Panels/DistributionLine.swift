import Statistics

/// One resolver's empirical distribution function over all its queries.
struct DistributionLine {
    /// The minimum distance between the labels of lines that end near each other.
    static let labelGap = 16.0
    /// The maximum accepted count. The limit keeps sums defined.
    private static let credible = 1 << 40

    let subject: ChartSubject
    let style: SeriesStyle?
    /// The steps of the line in ascending order: the number of answers that took between `lower` and `upper`
    /// milliseconds.
    let rises: Rises
    let failed: Int
    private let answered: Int

    init(subject: ChartSubject, style: SeriesStyle?) {
        self.subject = subject
        self.style = style
        let times = subject.answers.lazy.filter(\.isFinite)
        if subject.sketch.count > 0 {
            var sketch = subject.sketch
            for time in times { sketch.insert(time) }
            rises = .buckets(sketch.buckets)
            answered = min(sketch.count, Self.credible)
        } else {
            rises = .times(times.sorted())
            answered = rises.count
        }
        failed = min(subject.summary.failed, Self.credible)
    }

    /// The steps of the line: at the times of single answers, or over the buckets of a sketch.
    enum Rises: RandomAccessCollection {
        case times([Double])
        case buckets([(lower: Double, upper: Double, count: Int)])

        var startIndex: Int { 0 }

        var endIndex: Int {
            switch self {
            case .times(let times): times.count
            case .buckets(let buckets): buckets.count
            }
        }

        subscript(position: Int) -> (lower: Double, upper: Double, count: Int) {
            switch self {
            case .times(let times): (times[position], times[position], 1)
            case .buckets(let buckets): buckets[position]
            }
        }
    }

    var total: Int { answered + failed }

    /// The time within which half of the queries were answered. `nil` if fewer were answered.
    var median: Double? { subject.summary.median }

    /// Whether no query was answered. The line then stays at 0 %.
    var isSilent: Bool { answered == 0 && failed > 0 }

    /// The share of answered queries, in per cent.
    var finalShare: Double { total == 0 ? 0 : Double(answered) / Double(total) * 100 }

    /// The text next to the end of the line. The name is shortened so that the text fits into `limit`.
    func label(tellsLoss: Bool = true, within limit: Double = .infinity) -> String {
        let loss =
            isSilent
            ? " – no answer"
            : tellsLoss && failed > 0 ? " – failed \(FigureText.share(failed, of: total))" : ""
        return TextStyle.label.elided(subject.label, to: limit - TextStyle.label.width(loss)) + loss
    }

    var tooltip: String {
        let half = median.map { "half within \(FigureText.milliseconds($0)), " } ?? ""
        return "\(subject.label): \(half)\(FigureText.failures(failed, of: total))"
            + (subject.stopped.map { ", \($0)" } ?? "")
    }

    /// The line, with steps where single times are known. Steps within half a pixel are joined.
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
        let isPale = subject.stopped != nil
        guard let median, let style else {
            return .group(tooltip: tooltip, isPale: isPale, [line])
        }
        let marker = style.marker.outline(at: plot.point(median, 50), radius: 4.5)
        return .group(tooltip: tooltip, isPale: isPale, [line, .path(marker, .marker(style))])
    }

    /// A bracket over the missing share up to 100 %. `rank` separates the brackets of several lines. A line
    /// without any answer has no bracket, because the bracket would look like a line that rises to 100 %.
    func lossGap(on plot: Plot, rank: Int) -> [Mark] {
        guard failed > 0, !isSilent else { return [] }
        let x = plot.frame.right - 8 - Double(rank) * 11
        let (low, high) = (plot.y(finalShare), plot.y(100))
        return [.upright(x, from: low, to: high, .stroke(style))]
            + [low, high].map { .level($0, from: x - 3, to: x + 3, .stroke(style)) }
    }
}

extension Rect {
    /// Labels to the right of the line ends, which are ordered by `y`. Labels that would touch are moved
    /// apart and connected to the line by leaders. `text` returns the words and additional marks.
    func endLabels(
        _ ends: [(line: DistributionLine, y: Double)],
        gutter: Double,
        text: (DistributionLine) -> (words: String, more: [Mark])
    ) -> [Mark] {
        let places = LabelPlacement.spread(
            ends.map(\.y),
            gap: DistributionLine.labelGap,
            in: (y + 4)...(bottom - 4)
        )
        return zip(ends, places).compactMap { end, place in
            guard let style = end.line.style else { return nil }
            let tip = Point(right + gutter - 6, place)
            let leader = [Point(right + 3, end.y), Point(tip.x - 6, tip.y), tip]
            let marker = style.marker.outline(at: Point(tip.x + 6, tip.y), radius: 4)
            let (words, more) = text(end.line)
            let tooltip = end.line.tooltip
            let sample: [Mark] = [
                .path(Path(through: leader), .thin(style)), .path(marker, .marker(style)),
            ]
            // The label of a pale line is pale as well, but its words stay readable.
            let isPale = end.line.subject.stopped != nil
            let drawn = isPale ? [.group(tooltip: tooltip, isPale: true, sample)] : sample
            let label = Mark.text(words, at: Point(tip.x + 15, tip.y + 4.5), .label)
            return .group(tooltip: tooltip, drawn + [label] + more)
        }
    }
}
