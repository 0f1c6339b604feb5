import Statistics

/// One resolver's times by the share of queries that are at least as slow.
struct PercentileLine {
    /// The smallest share of the line, in per cent. A chart of this size cannot show less than one
    /// ten-thousandth.
    private static let smallestShare = 0.01

    let line: DistributionLine
    /// The times of the answers within the timeout, as steps of the distribution line.
    let rises: Slice<DistributionLine.Rises>
    /// The number of queries without an answer, or with an answer after the timeout.
    let beyond: Int

    init(_ line: DistributionLine) {
        self.line = line
        let timeout = line.subject.summary.timeout
        rises = line.rises.prefix { $0.lower < timeout || $0.upper <= timeout }
        beyond = line.total - rises.reduce(0) { $0 + $1.count }
    }

    /// The smallest share, in per cent, with enough slow queries for a time.
    var leastShare: Double {
        let highest = QuantileInterval.highestQuantile(of: line.total) ?? 0
        return max((1 - highest) * 100, Self.smallestShare)
    }

    var fastest: Double? { rises.first?.lower }

    /// The time of the slowest answered query within the range of the line.
    var slowest: Double? { steps.last?.upper }

    /// Whether the line continues beyond the timeout.
    var reachesTimeout: Bool { line.total > 0 && share(beyond) > leastShare }

    /// The steps of the line from the fastest: each covers the slowest `start` to `end` per cent.
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

    /// The time, in milliseconds, that `share` per cent of the queries reach or exceed: the order statistic
    /// of a quantile. `nil` if it is beyond the timeout, or if there are too few queries.
    func time(atSlowest share: Double) -> Double? {
        guard share >= leastShare else { return nil }
        return steps.first { $0.end < share }?.upper ?? (reachesTimeout ? nil : slowest)
    }

    private func share(_ count: Int) -> Double { Double(count) / Double(line.total) * 100 }

    /// The line. For queries without an answer it continues as dots in `lane`, above all times.
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
