import Statistics

/// Timeline and smoke in cells: a stretch of time a cell, on axes that all resolvers share.
struct TerminalTimeGrid {
    /// Room for a tick's label left of a plot, and for the edge.
    private static let margin = 8

    private let kind: HistoryChartKind
    private let scale: TimeScale
    private let rows: HistoryRows
    private let cells: Int
    private let height: Int
    private let pen: HistoryPen

    init(_ chart: HistoryChart, width: Int, height: Int, pen: HistoryPen) {
        kind = chart.kind
        scale = chart.scale
        cells = max(1, width - Self.margin)
        rows = HistoryRows(
            chart,
            columnLimit: cells,
            reach: chart.kind == .timeline ? \.median : \.p95
        )
        self.height = height
        self.pen = pen
    }

    /// A block a resolver: the plot from its top, and the line of losses.
    var blocks: [TerminalHistory.Block] {
        rows.rows.map { row in
            let columns = row.columns.columns
            var next = columns[...]
            let plot = (0..<cells).map { cell -> [Character] in
                let share = (Double(cell) + 0.5) / Double(cells)
                let moment = Double(scale.extent.lowerBound) + share * scale.length
                next = next.drop { Double($0.bin.end) <= moment }
                guard let column = next.first, Double(column.bin.start) <= moment else {
                    return [Character](repeating: pen.gap, count: height + 1)
                }
                return [pen.losses[column.loss.rawValue]] + stack(column)
            }
            let lines = (0...height).reversed().map { line in
                edge(line) + String(plot.map { $0[line] })
            }
            return TerminalHistory.Block(label: row.subject.label, rows: lines)
        }
    }

    /// The cells of a column above the line of losses, from the bottom up.
    private func stack(_ column: TimeColumns.Column) -> [Character] {
        var stack = kind == .timeline ? bar(column) : shades(column)
        let isBeyond = column.median.map { $0 > rows.durations.upper } ?? true
        if isBeyond { stack[height - 1] = pen.beyond }
        return stack
    }

    private func bar(_ column: TimeColumns.Column) -> [Character] {
        let steps = pen.levels.count - 1
        let share = column.median.map(rows.durations.position) ?? 0
        let filled = Int((share * Double(height * steps)).rounded())
        return (0..<height).map { line in
            // The lowest cell is never empty: an empty one would say that nothing was measured.
            let least = line == 0 && column.median != nil ? 1 : 0
            return pen.levels[min(max(filled - line * steps, least), steps)]
        }
    }

    private func shades(_ column: TimeColumns.Column) -> [Character] {
        let shades = DensityShades(column.bin.latency.sketch, axis: rows.durations, count: height)
        var stack = shades.cells.map { shade in
            shade.map { pen.shades[$0 * pen.shades.count / DensityShades.shares.count] } ?? " "
        }
        if let median = column.median {
            stack[line(of: median)] = pen.median
        }
        return stack
    }

    private func line(of value: Double) -> Int {
        min(Int(rows.durations.position(value) * Double(height)), height - 1)
    }

    /// What stands left of a line: the label of the tick that lies in it, if one does.
    private func edge(_ line: Int) -> String {
        let ticks = rows.durations.ticks.filter { self.line(of: $0) == line - 1 }
        // A label is that of the lower edge of its line, but a single line is told by its upper.
        let tick = height == 1 ? ticks.last : ticks.first
        let label = line == 0 ? "lost" : tick.map { rows.durations.label($0) + " ms" } ?? ""
        let room = Self.margin - 1
        let padding = String(repeating: " ", count: max(0, room - label.count))
        return padding + label.suffix(room) + String(pen.edge)
    }

    /// The labels of the moments that are marked; those that would touch are left out.
    var axis: String {
        var labels: [(cell: Int, text: String)] = []
        for tick in scale.visibleTicks {
            let share = scale.axis.position(Double(tick.moment))
            labels.append((Self.margin + Int(share * Double(cells)), tick.label))
        }
        let unit = rows.durations.scale == .logarithmic ? "log" : ""
        return TerminalLabels.line(labels, after: unit, width: Self.margin + cells)
    }
}

/// Labels below cells, in one line.
enum TerminalLabels {
    /// `labels` with their middles at cells, ascending, after a word: all of them, or every second,
    /// third and so on where they would touch.
    static func line(_ labels: [(cell: Int, text: String)], after word: String, width: Int)
        -> String
    {
        let fitting = labels.filter { $0.text.count <= width }
        let lines = (1...max(1, fitting.count)).lazy.map { step in
            let kept = stride(from: 0, to: fitting.count, by: step).map { fitting[$0] }
            return line(kept, word: word, width: width)
        }
        return lines.first { $0.left == 0 }?.text ?? lines.last?.text ?? word
    }

    /// The line with those that do not touch one before, and how many are left out.
    private static func line(_ labels: [(cell: Int, text: String)], word: String, width: Int)
        -> (text: String, left: Int)
    {
        var line = word
        var left = 0
        for (cell, text) in labels {
            let start = max(0, min(cell - text.count / 2, width - text.count))
            guard line.isEmpty || start >= line.count + 2 else {
                left += 1
                continue
            }
            line += String(repeating: " ", count: start - line.count) + text
        }
        return (String(line.prefix(width)), left)
    }
}
