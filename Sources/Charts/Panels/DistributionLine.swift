import Statistics

/// One resolver's empirical distribution function, over all its queries.
struct DistributionLine: Hashable {
    let name: String
    let style: SeriesStyle?
    /// Answer times in milliseconds, ascending.
    let times: [Double]
    let lost: Int
    let timeout: Double

    init(subject: ChartSubject, style: SeriesStyle?) {
        name = subject.label
        self.style = style
        times = subject.answers.filter(\.isFinite).sorted()
        lost = max(0, subject.lost)
        timeout = subject.summary.timeout
    }

    private var total: Int { times.count + lost }

    /// The share of queries that were answered at all, in per cent.
    var finalShare: Double {
        total == 0 ? 0 : Double(times.count) / Double(total) * 100
    }

    /// The time within which half of the queries were answered; `nil` where fewer were.
    var median: Double? {
        let rank = (total + 1) / 2
        return rank >= 1 && rank <= times.count ? times[rank - 1] : nil
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

    /// The steps of the line; times that share half a pixel are one step.
    func curve(on plot: Plot) -> Mark {
        var path = Path()
        var level = plot.y(0)
        path.move(to: Point(x: plot.frame.x, y: level))
        var index = 0
        while index < times.count {
            let x = halfPixel(plot.x(times[index]))
            while index < times.count, halfPixel(plot.x(times[index])) == x { index += 1 }
            path.line(to: Point(x: x, y: level))
            level = plot.y(Double(index) / Double(total) * 100)
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
