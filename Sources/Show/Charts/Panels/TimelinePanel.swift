import Statistics

/// Median, p25 to p75 and p5 to p95 over time, with a strip of losses below: one plot per resolver.
struct TimelinePanel: Panel {
    private static let strip = 16.0

    private let rows: TimeRows

    init(_ chart: Chart) {
        rows = TimeRows(chart, columnLimit: Chart.columnLimit, strip: Self.strip)
    }

    var nothing: String? { rows.nothing }

    var notes: [String] {
        let reading =
            "Line: median (ms). Bands: p25 to p75, p5 to p95. Strip below: failed queries, the higher "
            + "the more (up to 1, 5, 20 %, more, all)."
        let columns = rows.rows.flatMap(\.columns.columns)
        let isCut = columns.filter { $0.bin.tells(0.95) }.contains {
            $0.summary.p95.map { $0 > rows.durations.upper } ?? true
        }
        let isBare = columns.contains { !$0.bin.tells(0.95) }
        let few = isBare ? ["No band: too few queries (p25 takes 13, p95 72)."] : []
        return [reading] + rows.notes + few + (isCut ? [rows.clipping] : [])
    }

    func drawing(below edge: Edge) -> Drawing {
        rows.drawing(below: edge) { row, plot in
            bands(row, on: plot) + lines(row, on: plot) + losses(row, on: plot)
        }
    }

    /// The x positions of a segment: its start, the middles of its columns, and its end.
    private func places(_ segment: [TimeColumns.Column], on plot: Plot)
        -> [(column: TimeColumns.Column, x: Double)]
    {
        guard let first = segment.first, let last = segment.last else { return [] }
        let middles = segment.map { column in
            (column, plot.x(Double(column.bin.start) + Double(column.bin.length) / 2))
        }
        return [(first, plot.x(Double(first.bin.start)))] + middles
            + [(last, plot.x(Double(last.bin.end)))]
    }

    /// The bands, where there are enough queries for their quantiles. Values beyond the timeout reach the
    /// top.
    private func bands(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        typealias Quantile = KeyPath<LatencySummary, Double?>
        func band(from lower: Quantile, to upper: Quantile, _ p: Double) -> Path {
            let runs = row.columns.segments.flatMap { segment in
                segment.chunked { $0.bin.tells(p) == $1.bin.tells(p) }.map(Array.init)
            }
            return runs.filter { $0[0].bin.tells(p) }.reduce(into: Path()) { band, run in
                let places = places(run, on: plot)
                func edge(_ quantile: Quantile) -> [Point] {
                    places.map { column, x in
                        Point(x, column.summary[keyPath: quantile].map(plot.y) ?? plot.frame.y)
                    }
                }
                band.append(Path(through: edge(upper) + edge(lower).reversed(), closed: true))
            }
        }
        return .paths([
            (band(from: \.p5, to: \.p95, 0.95), .faint(row.style)),
            (band(from: \.p25, to: \.p75, 0.75), .pale(row.style)),
        ])
    }

    /// The median line. Where the median exceeds the timeout, the line is interrupted by a bar at the top.
    private func lines(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        var line = Path()
        var beyond = Path()
        for segment in row.columns.segments {
            var isBroken = true
            for (column, x) in places(segment, on: plot) {
                guard let median = column.summary.median else {
                    isBroken = true
                    continue
                }
                let point = Point(x, plot.y(median))
                if isBroken { line.move(to: point) } else { line.line(to: point) }
                isBroken = false
            }
            for column in segment where column.summary.median == nil {
                var bar = plot.extent(of: column.bin.interval, least: 1)
                bar.height = 4
                beyond.append(.box(bar))
            }
        }
        return .paths([(line, .solid(row.style)), (beyond, .loss(.all))])
    }

    /// The strip of losses: one bar per column. Adjacent bars of the same class are joined.
    private func losses(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        let bottom = plot.frame.bottom + Self.strip
        var bars: [MarkStyle: Path] = [:]
        for segment in row.columns.segments {
            for run in segment.map(\.bin).chunked(by: { $0.loss == $1.loss }) {
                guard let first = run.first, let last = run.last, first.loss != .none else {
                    continue
                }
                var bar = plot.extent(of: first.interval, least: 1)
                let right = plot.extent(of: last.interval, least: 1).right
                bar.height = first.loss.height * (Self.strip - 4)
                bar.y = bottom - bar.height
                bar.width = max(bar.width, right - bar.x)
                bars[.loss(first.loss), default: Path()].append(.box(bar))
            }
        }
        let ground = Mark.level(bottom, from: plot.frame.x, to: plot.frame.right, .axis)
        return .areas(bars, of: MarkStyle.losses) + [ground]
    }
}
