import Statistics

/// The density of query times against time in greys, with the median of each column in the colour
/// of its losses: what SmokePing (Oetiker 2001) draws, from buckets instead of single pings.
struct SmokePanel: Panel {
    /// A column is more than three pixels wide: narrower ones cannot be told from noise.
    private static let columnLimit = 240
    /// The height of a cell, in pixels.
    private static let cell = 2.0

    private let chart: HistoryChart
    private let rows: HistoryRows

    init(_ chart: HistoryChart) {
        self.chart = chart
        rows = HistoryRows(chart, columnLimit: Self.columnLimit, strip: 4)
    }

    var heading: String { "Density of query times over time" }

    var notes: [String] {
        guard !rows.isEmpty else { return ["Nothing was measured in this window."] }
        let shares = DensityShades.shares.reversed().map {
            DecimalText.fixed($0 * 100, places: 0)
        }
        let reading =
            "Greys, from the strongest: the densest places (ms) that hold "
            + shares.joined(separator: ", ")
            + " % of the answers. Bar: median, thicker with losses."
        let isCut = rows.rows.flatMap(\.columns.columns).contains {
            ($0.bin.latency.maximum ?? 0) > rows.durations.upper
        }
        let cut = isCut ? ["Slower answers than the axis has room for are not drawn."] : []
        return [reading] + rows.notes(chart) + cut
    }

    func height(width: Double) -> Double {
        rows.isEmpty ? 0 : rows.height(width: width) + LossLegend.height(width: width)
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !rows.isEmpty else { return [] }
        let legend = LossLegend.height(width: frame.width)
        let below = Rect(
            x: frame.x,
            y: frame.y + legend,
            width: frame.width,
            height: frame.height - legend
        )
        return LossLegend.marks(at: Point(x: frame.x, y: frame.y + 8), width: frame.width)
            + rows.marks(in: below) { row, plot in
                smoke(row, on: plot) + medians(row, on: plot) + [
                    .line(
                        from: Point(x: plot.frame.x, y: plot.frame.bottom),
                        to: Point(x: plot.frame.right, y: plot.frame.bottom),
                        .axis
                    )
                ]
            }
    }

    /// The shades, the darker above the paler; neighbours with equal runs share a box.
    private func smoke(_ row: HistoryRows.Row, on plot: Plot) -> [Mark] {
        let count = Int(plot.frame.height / Self.cell)
        let columns = row.columns.stretches.flatMap { stretch in
            stretch.map { column in
                (
                    x: column.pixels(on: plot),
                    shades: DensityShades(
                        column.bin.latency.sketch,
                        axis: plot.vertical,
                        count: count
                    )
                )
            }
        }
        return DensityShades.shares.indices.compactMap { shade in
            let runs = columns.map { Set($0.shades.runs(atLeast: shade)) }
            var path = Path()
            for index in columns.indices {
                for run in columns[index].shades.runs(atLeast: shade) {
                    let touches = { (next: Int) in
                        columns[next - 1].x.upperBound == columns[next].x.lowerBound
                    }
                    if index > 0, touches(index), runs[index - 1].contains(run) { continue }
                    var last = index
                    while last + 1 < columns.count, touches(last + 1), runs[last + 1].contains(run)
                    {
                        last += 1
                    }
                    let left = columns[index].x.lowerBound
                    path.append(
                        .box(
                            Rect(
                                x: left,
                                y: plot.frame.bottom - Double(run.upperBound) * Self.cell,
                                width: columns[last].x.upperBound - left,
                                height: Double(run.count) * Self.cell
                            )
                        )
                    )
                }
            }
            return path.isEmpty ? nil : .path(path, .smoke(shade))
        }
    }

    /// The medians on a rim of the ground's colour, so that they stand out from the dark places.
    private func medians(_ row: HistoryRows.Row, on plot: Plot) -> [Mark] {
        var rim = Path()
        var bars = [Path](repeating: Path(), count: LossClass.allCases.count)
        for column in row.columns.columns {
            let x = column.pixels(on: plot)
            let height = LossLegend.thickness(column.loss)
            let middle = column.median.map(plot.y) ?? plot.frame.y + height / 2
            let bar = Rect(
                x: x.lowerBound,
                y: middle - height / 2,
                width: x.upperBound - x.lowerBound,
                height: height
            )
            rim.append(.box(Rect(x: bar.x, y: bar.y - 1, width: bar.width, height: height + 2)))
            bars[column.loss.rawValue].append(.box(bar))
        }
        return
            ([.path(rim, .ground)]
            + LossClass.allCases.map { .path(bars[$0.rawValue], .loss($0)) })
            .filter { !$0.isEmptyPath }
    }
}

extension TimeColumns.Column {
    /// The whole pixels that the column takes, at least one.
    fileprivate func pixels(on plot: Plot) -> Range<Double> {
        let left = plot.x(Double(bin.start)).rounded()
        let right = max(plot.x(Double(bin.end)).rounded(), left + 1)
        return min(left, plot.frame.right - 1)..<min(right, plot.frame.right)
    }
}
