import Statistics

/// One resolver's times by the share of its queries that are as slow or slower.
struct PercentileLine {
    /// No line goes further: a ten-thousandth is more than a picture of this size shows.
    private static let smallestShare = 0.01

    let line: DistributionLine
    /// The times of answers within the timeout, as the line has them.
    let rises: Slice<DistributionLine.Rises>
    /// Queries without an answer, or with one after the timeout.
    let beyond: Int

    init(_ line: DistributionLine) {
        self.line = line
        let timeout = line.subject.summary.timeout
        rises = line.rises.prefix { $0.lower < timeout || $0.upper <= timeout }
        beyond = line.total - rises.reduce(0) { $0 + $1.count }
    }

    /// The least share, in per cent, whose slowest queries are enough to tell their time.
    var leastShare: Double {
        let highest = QuantileInterval.highestQuantile(of: line.total) ?? 0
        return max((1 - highest) * 100, Self.smallestShare)
    }

    var fastest: Double? { rises.first?.lower }

    /// The time of the slowest query that was answered, as far as the line goes.
    var slowest: Double? { steps.last?.upper }

    /// Whether the line goes on beyond the timeout.
    var reachesTimeout: Bool { line.total > 0 && share(beyond) > leastShare }

    /// The line's steps from the fastest on: from `start` to `end` per cent, both of the slowest.
    var steps: [(start: Double, end: Double, lower: Double, upper: Double)] {
        let least = leastShare
        var left = line.total
        var steps: [(start: Double, end: Double, lower: Double, upper: Double)] = []
        for rise in rises where share(left) > least {
            let start = share(left)
            left -= rise.count
            steps.append((start, max(share(left), least), rise.lower, rise.upper))
        }
        return steps
    }

    /// The time that so many per cent of the queries are as slow as, or slower, the order statistic of
    /// a quantile; `nil` where it is beyond the timeout, or too few queries tell it.
    func time(atSlowest share: Double) -> Double? {
        guard share >= leastShare else { return nil }
        return steps.first { $0.end < share }?.upper ?? (reachesTimeout ? nil : slowest)
    }

    private func share(_ count: Int) -> Double { Double(count) / Double(line.total) * 100 }

    /// The line; where queries had no answer it goes on as dots in `lane`, which is above all times.
    func curve(on plot: Plot, lane: Double) -> Mark {
        func halfPixel(_ share: Double) -> Double { (plot.x(share) * 2).rounded() / 2 }
        var points: [Point] = []
        for chunk in steps.chunked(by: { halfPixel($0.end) == halfPixel($1.end) }) {
            guard let last = chunk.last else { continue }
            let first = chunk[chunk.startIndex]
            points.append(Point(halfPixel(first.start), plot.y(first.lower)))
            points.append(Point(halfPixel(last.end), plot.y(last.upper)))
        }
        let curve: MarkStyle = line.style == nil ? .thin(nil) : .curve(line.style)
        var marks: [Mark] = .paths([(Path(through: points), curve)])
        if reachesTimeout {
            let start = points.last ?? Point(plot.frame.right, lane)
            let path = [start, Point(start.x, lane), Point(halfPixel(leastShare), lane)]
            marks.append(.path(Path(through: path), .dotted(line.style)))
        }
        if let style = line.style, let median = line.median, leastShare < 50 {
            let marker = style.marker.outline(at: plot.point(50, median), radius: 4.5)
            marks.append(.path(marker, .marker(style)))
        }
        return .group(tooltip: line.tooltip, isPale: line.subject.stopped != nil, marks)
    }
}
