import Statistics

/// The density of query times against time in greys, with the median of each column in the colour
/// of its losses: what SmokePing (Oetiker 2001) draws, from buckets instead of single pings.
struct SmokePanel: Panel {
    /// A column is more than three pixels wide: narrower ones cannot be told from noise.
    private static let columnLimit = 240
    /// The height of a cell, in pixels.
    private static let cell = 2.0

    private let rows: TimeRows

    init(_ chart: Chart) {
        rows = TimeRows(chart, columnLimit: Self.columnLimit, strip: 4)
    }

    var nothing: String? { rows.nothing }

    var notes: [String] {
        let shares = DensityShades.shares.reversed().map { DecimalText.fixed($0 * 100, places: 0) }
        let reading =
            "Greys, from the strongest: the densest places (ms) that hold "
            + shares.joined(separator: ", ")
            + " % of the answers. Bar: median, thicker with losses."
        let isCut = rows.rows.flatMap(\.columns.columns).contains {
            ($0.bin.latency.maximum ?? 0) > rows.durations.upper
        }
        let cut = isCut ? ["Slower answers than the axis has room for are not drawn."] : []
        return [reading] + rows.notes + cut
    }

    private var legend: Legend {
        let entries = LossClass.allCases.map { loss in
            Legend.Entry(text: loss.label) { left in
                let y = left.y - loss.thickness / 2
                return [
                    .rect(Rect(x: left.x, y: y, width: 18, height: loss.thickness), .loss(loss))
                ]
            }
        }
        return Legend(
            entries: entries,
            sample: 23,
            gap: 20,
            row: 18,
            height: 22,
            style: .small
        )
    }

    func height(width: Double) -> Double {
        rows.height(width: width) + legend.height(width: width)
    }

    func marks(in frame: Rect) -> [Mark] {
        let below = frame.below(legend.height(width: frame.width))
        return legend.marks(in: frame)
            + rows.marks(in: below) { row, plot in
                smoke(row, on: plot) + medians(row, on: plot) + [plot.base]
            }
    }

    /// The shades, the darker above the paler; neighbours with equal runs share a box.
    private func smoke(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        let count = Int(plot.frame.height / Self.cell)
        let columns = row.columns.columns.map { column in
            let sketch = column.bin.latency.sketch
            let shades = DensityShades(sketch, axis: plot.vertical, count: count)
            return (x: column.pixels(on: plot), shades: shades)
        }
        return .paths(
            DensityShades.shares.indices.map { shade in
                let runs = columns.map { $0.shades.runs(atLeast: shade) }
                /// Whether a box that `run` of a column is in goes on in the next.
                func goesOn(_ run: Range<Int>, from index: Int) -> Bool {
                    index + 1 < columns.count && runs[index + 1].contains(run)
                        && columns[index].x.upperBound == columns[index + 1].x.lowerBound
                }
                var path = Path()
                for index in columns.indices {
                    for run in runs[index] {
                        if index > 0, runs[index - 1].contains(run), goesOn(run, from: index - 1) {
                            continue
                        }
                        var last = index
                        while goesOn(run, from: last) { last += 1 }
                        let left = columns[index].x.lowerBound
                        let box = Rect(
                            x: left,
                            y: plot.frame.bottom - Double(run.upperBound) * Self.cell,
                            width: columns[last].x.upperBound - left,
                            height: Double(run.count) * Self.cell
                        )
                        path.append(.box(box))
                    }
                }
                return (path, .smoke(shade))
            }
        )
    }

    /// The medians on a rim of the ground's colour, so that they stand out from the dark places.
    private func medians(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        var rim = Path()
        var bars: [LossClass: Path] = [:]
        for column in row.columns.columns {
            let x = column.pixels(on: plot)
            let height = column.loss.thickness
            let middle = column.median.map(plot.y) ?? plot.frame.y + height / 2
            var bar = Rect(
                x: x.lowerBound,
                y: middle - height / 2,
                width: x.upperBound - x.lowerBound,
                height: height
            )
            bars[column.loss, default: Path()].append(.box(bar))
            bar.y -= 1
            bar.height += 2
            rim.append(.box(bar))
        }
        return .paths([(rim, .ground)]) + .losses(bars)
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
