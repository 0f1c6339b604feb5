/// Median, middle half and p5 to p95 against time, and a strip of losses below: a plot a resolver.
struct TimelinePanel: Panel {
    private static let strip = 16.0

    private let chart: HistoryChart
    private let rows: HistoryRows

    init(_ chart: HistoryChart) {
        self.chart = chart
        rows = HistoryRows(chart, columnLimit: HistoryChart.columnLimit, strip: Self.strip)
    }

    var heading: String { "Query time over time" }

    var notes: [String] {
        guard !rows.isEmpty else { return ["Nothing was measured in this window."] }
        let reading =
            "Line: median (ms). Bands: middle half, and p5 to p95. Strip below: queries lost, the "
            + "higher the more (up to 1, 5, 20 %, more, all)."
        let isCut = rows.rows.flatMap(\.columns.columns).contains {
            $0.p95.map { $0 > rows.durations.upper } ?? true
        }
        let cut = isCut ? ["What reaches the top edge goes beyond it."] : []
        return [reading] + rows.notes(chart) + cut
    }

    func height(width: Double) -> Double {
        rows.isEmpty ? 0 : rows.height(width: width)
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !rows.isEmpty else { return [] }
        return rows.marks(in: frame) { row, plot in
            bands(row, on: plot) + lines(row, on: plot) + losses(row, on: plot)
        }
    }

    /// The places of a stretch: from its begin through the middles of its columns to its end.
    private func places(_ stretch: [TimeColumns.Column], on plot: Plot) -> [(Int, Double)] {
        guard let first = stretch.first, let last = stretch.last else { return [] }
        let middles = stretch.enumerated().map { index, column in
            (index, plot.x(Double(column.bin.start) + Double(column.bin.length) / 2))
        }
        return [(0, plot.x(Double(first.bin.start)))] + middles
            + [(stretch.count - 1, plot.x(Double(last.bin.end)))]
    }

    /// The bands; what lies beyond the timeout reaches the top.
    private func bands(_ row: HistoryRows.Row, on plot: Plot) -> [Mark] {
        let ranges: [(KeyPath<TimeColumns.Column, Double?>, KeyPath<TimeColumns.Column, Double?>)] =
            [(\.p5, \.p95), (\.p25, \.p75)]
        return zip(ranges, [MarkStyle.faint(row.style), .pale(row.style)]).map { range, style in
            var band = Path()
            for stretch in row.columns.stretches {
                let places = places(stretch, on: plot)
                func edge(_ value: KeyPath<TimeColumns.Column, Double?>) -> [Point] {
                    places.map { index, x in
                        Point(x: x, y: stretch[index][keyPath: value].map(plot.y) ?? plot.frame.y)
                    }
                }
                band.append(
                    Path(through: edge(range.1) + edge(range.0).reversed(), closed: true)
                )
            }
            return .path(band, style)
        }
    }

    /// The median, broken where it lies beyond the timeout: there it is a bar along the top.
    private func lines(_ row: HistoryRows.Row, on plot: Plot) -> [Mark] {
        var line = Path()
        var beyond = Path()
        for stretch in row.columns.stretches {
            var isBroken = true
            for (index, x) in places(stretch, on: plot) {
                guard let median = stretch[index].median else {
                    isBroken = true
                    continue
                }
                let point = Point(x: x, y: plot.y(median))
                if isBroken { line.move(to: point) } else { line.line(to: point) }
                isBroken = false
            }
            for column in stretch where column.median == nil {
                beyond.append(.box(column.extent(on: plot, from: plot.frame.y, height: 4)))
            }
        }
        return [.path(line, .solid(row.style)), .path(beyond, .loss(.all))]
            .filter { !$0.isEmptyPath }
    }

    /// The strip: a bar a column, joined where neighbours are of the same class.
    private func losses(_ row: HistoryRows.Row, on plot: Plot) -> [Mark] {
        let bottom = plot.frame.bottom + Self.strip
        let room = Self.strip - 4
        var paths = [Path](repeating: Path(), count: LossClass.allCases.count)
        for stretch in row.columns.stretches {
            var bars = stretch[...]
            while let first = bars.first {
                let run = bars.prefix { $0.loss == first.loss }
                bars = bars.dropFirst(run.count)
                guard first.loss != .none, let last = run.last else { continue }
                var bar = first.extent(on: plot, from: bottom, height: 0)
                bar.height = first.loss.height * room
                bar.y = bottom - bar.height
                bar.width = max(bar.width, last.extent(on: plot, from: 0, height: 0).right - bar.x)
                paths[first.loss.rawValue].append(.box(bar))
            }
        }
        let ground = Mark.line(
            from: Point(x: plot.frame.x, y: bottom),
            to: Point(x: plot.frame.right, y: bottom),
            .axis
        )
        return LossClass.losses.map { .path(paths[$0.rawValue], .loss($0)) }
            .filter { !$0.isEmptyPath } + [ground]
    }
}

extension TimeColumns.Column {
    /// The part of a plot's width that the column takes, at least a pixel wide.
    func extent(on plot: Plot, from y: Double, height: Double) -> Rect {
        let left = plot.x(Double(bin.start))
        let width = max(plot.x(Double(bin.end)) - left, 1)
        return Rect(x: min(left, plot.frame.right - width), y: y, width: width, height: height)
    }
}
