import Statistics

/// The density of query times over time in greys, with each column's median in the colour of its losses.
/// SmokePing (Oetiker 2001) draws the same from single pings; this chart uses buckets.
struct SmokePanel: Panel {
    /// The maximum number of columns. It makes a column wider than three pixels: narrower columns look like
    /// noise.
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
            "Darkest: the densest \(shares.first ?? "") % of the answers (ms); paler: "
            + shares.dropFirst().joined(separator: ", ")
            + " %. Bar: median, thicker with failed queries."
        let isCut = rows.rows.flatMap(\.columns.columns).contains {
            ($0.bin.latency.maximum ?? 0) > rows.durations.upper
        }
        let cut = isCut ? [rows.clipping] : []
        return [reading] + rows.notes + cut
    }

    private var legend: Legend {
        let entries = LossClass.allCases.map { loss -> Legend.Entry in
            let height = loss.thickness
            func sample(_ start: Point) -> [Mark] {
                let bar = Rect(x: start.x, y: start.y - height / 2, width: 18, height: height)
                return [.rect(bar, .loss(loss))]
            }
            return (loss.label, sample)
        }
        return Legend(entries: entries, sample: 23, gap: 20, row: 18, height: 22, style: .small)
    }

    func drawing(below edge: Edge) -> Drawing {
        let legend = legend.drawing(below: edge)
        let plots = rows.drawing(below: legend.end) { row, plot in
            smoke(row, on: plot) + medians(row, on: plot) + [plot.base]
        }
        return (legend.marks + plots.marks, plots.end)
    }

    /// The shades, with darker shades above paler shades. Adjacent columns with equal runs share a box.
    private func smoke(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        let count = Int(plot.frame.height / Self.cell)
        let columns = row.columns.columns.map { column in
            let sketch = column.bin.latency.sketch
            let shades = DensityShades(sketch, axis: plot.vertical, count: count)
            return (x: column.bin.pixels(on: plot), shades: shades)
        }
        return .paths(
            DensityShades.shares.indices.map { shade in
                let runs = columns.map { $0.shades.runs(atLeast: shade) }
                /// Whether a box that contains `run` of a column continues in the next column.
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

    /// The medians on a rim of the background colour, so that they stand out from dark areas.
    private func medians(_ row: TimeRows.Row, on plot: Plot) -> [Mark] {
        var rim = Path()
        var bars: [MarkStyle: Path] = [:]
        for column in row.columns.columns {
            let x = column.bin.pixels(on: plot)
            let loss = column.bin.loss
            let height = loss.thickness
            let middle = column.summary.median.map(plot.y) ?? plot.frame.y + height / 2
            var bar = Rect(
                x: x.lowerBound,
                y: middle - height / 2,
                width: x.upperBound - x.lowerBound,
                height: height
            )
            bars[.loss(loss), default: Path()].append(.box(bar))
            bar.y -= 1
            bar.height += 2
            rim.append(.box(bar))
        }
        return .paths([(rim, .ground)]) + .areas(bars, of: MarkStyle.losses)
    }
}

extension TimeBin {
    /// The whole pixels that the column covers, at least one.
    fileprivate func pixels(on plot: Plot) -> Range<Double> {
        let left = plot.x(Double(start)).rounded()
        let right = max(plot.x(Double(end)).rounded(), left + 1)
        return min(left, plot.frame.right - 1)..<min(right, plot.frame.right)
    }
}

/// The cells of one column of a density chart, from the bottom of its axis up, in shades.
///
/// A shade is a region of highest density (Hyndman 1996). The darkest shade contains the densest cells that
/// together hold the smallest of `DensityShades.shares`.
struct DensityShades {
    /// The share of answers in each shade and all darker shades, the palest first.
    static let shares = [0.97, 0.9, 0.75, 0.6, 0.4, 0.2]

    /// The shade of each cell; 0 is the palest. `nil` for cells outside every shade.
    let cells: [Int?]

    /// Spreads each bucket of `sketch` evenly over the cells that it touches; `axis` has `count` cells.
    /// Values above the axis have no cell.
    init(_ sketch: LatencySketch, axis: Axis, count: Int) {
        let count = max(count, 1)
        var weights = [Double](repeating: 0, count: count)
        for bucket in sketch.buckets where bucket.lower <= axis.upper {
            let lower = axis.position(bucket.lower) * Double(count)
            let upper = axis.position(bucket.upper) * Double(count)
            let first = min(Int(lower), count - 1)
            let last = min(max(first, Int(upper.rounded(.up)) - 1), count - 1)
            guard last > first else {
                weights[first] += Double(bucket.count)
                continue
            }
            for cell in first...last {
                let covered = min(upper, Double(cell + 1)) - max(lower, Double(cell))
                weights[cell] += Double(bucket.count) * covered / (upper - lower)
            }
        }
        cells = Self.shades(of: Self.smoothed(weights))
    }

    /// Each cell with a quarter of each neighbour, so that single answers do not produce speckles.
    private static func smoothed(_ weights: [Double]) -> [Double] {
        weights.indices.map { index in
            let below = weights[max(index - 1, 0)]
            let above = weights[min(index + 1, weights.count - 1)]
            return below / 4 + weights[index] / 2 + above / 4
        }
    }

    private static func shades(of weights: [Double]) -> [Int?] {
        let total = weights.reduce(0, +)
        var cells = [Int?](repeating: nil, count: weights.count)
        guard total > 0 else { return cells }
        let order = weights.indices.filter { weights[$0] > 0 }
            .sorted { (weights[$1], $0) < (weights[$0], $1) }
        var held = 0.0
        var rest = order[...]
        while let first = rest.first {
            // Cells of equal density have the same shade.
            let alike = rest.prefix { weights[$0] >= weights[first] * (1 - 1e-9) }
            guard let shade = shares.lastIndex(where: { held < $0 * total }) else { break }
            for cell in alike { cells[cell] = shade }
            held += alike.reduce(0) { $0 + weights[$1] }
            rest = rest.dropFirst(alike.count)
        }
        return cells
    }

    /// The runs of cells at least as dark as a shade, in ascending order.
    func runs(atLeast shade: Int) -> [Range<Int>] {
        cells.indices.filter { (cells[$0] ?? -1) >= shade }.chunked { $0 + 1 == $1 }
            .map { $0[$0.startIndex]..<($0[$0.endIndex - 1] + 1) }
    }
}
