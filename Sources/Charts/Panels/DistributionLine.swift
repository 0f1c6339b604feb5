import Statistics

/// One resolver's empirical distribution function, over all its queries.
struct DistributionLine: Hashable {
    let name: String
    let style: SeriesStyle?
    /// Where the line rises, ascending: so many answers took from `lower` to `upper` milliseconds.
    let rises: [Rise]
    /// The time within which half of the queries were answered; `nil` where fewer were.
    let median: Double?
    let lost: Int
    let timeout: Double

    private let answered: Int

    /// Beyond this no count is meant; sums stay defined.
    private static let credible = 1 << 40

    struct Rise: Hashable {
        var lower: Double
        var upper: Double
        var count: Int
    }

    init(subject: ChartSubject, style: SeriesStyle?) {
        name = subject.label
        self.style = style
        let times = subject.answers.filter(\.isFinite).sorted()
        if subject.sketch.count > 0 {
            var sketch = subject.sketch
            for time in times { sketch.insert(time) }
            rises = sketch.buckets.map { Rise(lower: $0.lower, upper: $0.upper, count: $0.count) }
            answered = min(sketch.count, Self.credible)
        } else {
            rises = times.map { Rise(lower: $0, upper: $0, count: 1) }
            answered = times.count
        }
        median = subject.summary.median
        lost = min(max(0, subject.lost), Self.credible)
        timeout = subject.summary.timeout
    }

    private var total: Int { answered + lost }

    /// The share of queries that were answered at all, in per cent.
    var finalShare: Double {
        total == 0 ? 0 : Double(answered) / Double(total) * 100
    }

    /// The text beside the end of the line.
    var label: String { name + loss }

    /// The same, with the name elided so that it is no wider than `limit`.
    func label(within limit: Double) -> String {
        let room = limit - TextMetrics.width(loss, size: TextStyle.label.size)
        return TextMetrics.elided(name, to: room, size: TextStyle.label.size) + loss
    }

    private var loss: String {
        lost > 0 ? " – lost \(FigureText.share(lost, of: total))" : ""
    }

    var tooltip: String {
        let half = median.map { "half within \(FigureText.milliseconds($0))" }
        let lost = "lost \(FigureText.share(lost, of: total)) of \(total) queries"
        return "\(name): " + [half, lost].compactMap(\.self).joined(separator: ", ")
    }

    /// Whether its label stands above that of `other`: by where the lines end, then the faster.
    func isAbove(_ other: DistributionLine) -> Bool {
        if finalShare != other.finalShare { return finalShare > other.finalShare }
        return (median ?? .infinity) < (other.median ?? .infinity)
    }

    /// The line, step by step where the times are known; those that share half a pixel are one.
    func curve(on plot: Plot) -> Mark {
        var path = Path()
        var level = plot.y(0)
        var count = 0
        path.move(to: Point(x: plot.frame.x, y: level))
        var rest = rises[...]
        while let first = rest.first {
            let start = halfPixel(plot.x(first.lower))
            let x = halfPixel(plot.x(first.upper))
            let step = rest.prefix { halfPixel(plot.x($0.upper)) == x }
            rest = rest.dropFirst(step.count)
            count += step.reduce(0) { $0 + $1.count }
            path.line(to: Point(x: start, y: level))
            level = plot.y(Double(count) / Double(total) * 100)
            path.line(to: Point(x: x, y: level))
        }
        path.line(to: Point(x: plot.frame.right, y: level))
        var marks: [Mark] = [.path(path, style == nil ? .thin(nil) : .curve(style))]
        if let median, let style {
            let centre = plot.point(median, 50)
            marks.append(.path(style.marker.outline(at: centre, radius: 4.5), .marker(style)))
        }
        return .group(tooltip: tooltip, marks)
    }

    /// A bracket over what is missing to 100 %, at the end of the line; `rank` keeps those of
    /// several lines apart.
    func lossGap(on plot: Plot, rank: Int) -> [Mark] {
        guard lost > 0, total > 0 else { return [] }
        let x = plot.frame.right - 8 - Double(rank) * 11
        let (low, high) = (plot.y(finalShare), plot.y(100))
        let ends = [low, high].map { y in
            Mark.line(from: Point(x: x - 3, y: y), to: Point(x: x + 3, y: y), .stroke(style))
        }
        return [.line(from: Point(x: x, y: low), to: Point(x: x, y: high), .stroke(style))] + ends
    }

    private func halfPixel(_ x: Double) -> Double { (x * 2).rounded() / 2 }
}
