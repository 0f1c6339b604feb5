import Statistics

/// A chart over time as lines of text: one block per resolver, with rows no wider than requested.
package struct TerminalHistory: Sendable {
    /// One resolver's lines, from the top, with their axis labels.
    package typealias Block = (label: String, rows: [String])

    /// The drawn resolvers, in the order of the chart.
    package let blocks: [Block]
    /// The line of moments, or of hours, below every block.
    package let axis: String
    /// The explanation of the characters. Wrap it at spaces if it is too wide.
    package let key: String
    /// Further notes: omitted items, and changes of the clock.
    package let notes: [String]

    /// The minimum number of cells for a plot with its labels.
    package static let leastWidth = 32

    /// Draws `chart` into `width` cells. The plots of a timeline or smoke chart have `height` lines, plus the
    /// line of losses. Below the minimum width it draws nothing.
    package init(_ chart: Chart, width: Int, height: Int) {
        guard width >= Self.leastWidth else {
            (blocks, axis, key, notes) = ([], "", "", [])
            return
        }
        // No terminal is larger. The limit prevents extreme sizes from using much memory.
        let (width, height) = (min(width, 1000), min(max(height, 1), 200))
        notes = FigureText.stops(chart.subjects) + chart.scale.clockNotes + chart.omission
        if chart.kind == .heatmap {
            let grid = TerminalWeekGrid(chart, width: width)
            (blocks, axis, key) = (grid.blocks, grid.axis, grid.key)
        } else {
            let grid = TerminalTimeGrid(chart, width: width, height: height)
            (blocks, axis, key) = (grid.blocks, grid.axis, grid.key)
        }
    }
}

/// Timeline and smoke chart in cells: each cell is an interval of time. All resolvers share the axes.
private struct TerminalTimeGrid {
    private let isTimeline: Bool
    private let rows: TimeRows
    /// Space to the left of a plot for a tick label and the edge.
    private let margin: Int
    private let cells: Int
    private let height: Int

    init(_ chart: Chart, width: Int, height: Int) {
        let isTimeline = chart.kind == .timeline
        func rows(in cells: Int) -> TimeRows {
            TimeRows(chart, columnLimit: cells, reach: isTimeline ? \.median : \.p95)
        }
        var margin = TerminalLabels.leastMargin
        var drawn = rows(in: width - margin)
        // Wider labels leave fewer columns, whose times may require other ticks.
        while TerminalLabels.margin(for: drawn.durations.timeLabels) > margin {
            margin = TerminalLabels.margin(for: drawn.durations.timeLabels)
            drawn = rows(in: width - margin)
        }
        (self.isTimeline, self.rows, self.margin) = (isTimeline, drawn, margin)
        (self.cells, self.height) = (width - margin, height)
    }

    /// One block per resolver: the plot from its top, and the line of losses.
    var blocks: [TerminalHistory.Block] {
        rows.rows.map { row in
            var next = row.columns.columns[...]
            let plot = (0..<cells).map { cell -> [Character] in
                next = next.drop { Double($0.bin.end) <= moment(Double(cell)) }
                let isOut = isOut(cell, of: row)
                guard let column = column(in: cell, of: next) else {
                    let glyph = isOut ? Glyph.outage : Glyph.gap
                    return [Character](repeating: glyph, count: height + 1)
                }
                let failed = isOut ? Glyph.outage : Glyph.losses[column.bin.loss.rawValue]
                return [failed] + stack(column)
            }
            let lines = (0...height).reversed().map { line in
                edge(line) + String(plot.map { $0[line] })
            }
            return (row.subject.label, lines)
        }
    }

    /// The moment, in seconds, at `cells` cells to the right of the edge.
    private func moment(_ cells: Double) -> Double {
        Double(rows.scale.extent.lowerBound) + cells / Double(self.cells) * rows.scale.length
    }

    /// Whether there was no answer in a part of a cell.
    private func isOut(_ cell: Int, of row: TimeRows.Row) -> Bool {
        let (first, last) = (moment(Double(cell)), moment(Double(cell + 1)))
        return row.outages.contains {
            Double($0.lowerBound) < last && Double($0.upperBound) > first
        }
    }

    /// The column that a cell shows: the column at the cell's middle. If nothing was measured then, the
    /// longest column whose middle is in the cell, so that a column between gaps stays visible.
    private func column(in cell: Int, of columns: ArraySlice<TimeColumns.Column>)
        -> TimeColumns.Column?
    {
        let extent = moment(Double(cell))..<moment(Double(cell + 1))
        let middle = moment(Double(cell) + 0.5)
        let near = columns.prefix { Double($0.bin.start) < extent.upperBound }
        return near.first { Double($0.bin.start) <= middle && middle < Double($0.bin.end) }
            ?? near.filter { extent.contains(Double($0.bin.middle)) }
            .max { $0.bin.length < $1.bin.length }
    }

    private func stack(_ column: TimeColumns.Column) -> [Character] {
        var stack = isTimeline ? bar(column) : shades(column)
        let isBeyond = column.summary.median.map { $0 > rows.durations.upper } ?? true
        if isBeyond { stack[height - 1] = Glyph.beyond }
        return stack
    }

    private func bar(_ column: TimeColumns.Column) -> [Character] {
        let steps = Glyph.levels.count - 1
        let share = column.summary.median.map(rows.durations.position) ?? 0
        let filled = Int((share * Double(height * steps)).rounded())
        return (0..<height).map { line in
            // The lowest cell is never empty: an empty cell would mean that nothing was measured.
            let least = line == 0 && column.summary.median != nil ? 1 : 0
            return Glyph.levels[min(max(filled - line * steps, least), steps)]
        }
    }

    private func shades(_ column: TimeColumns.Column) -> [Character] {
        let shades = DensityShades(column.bin.latency.sketch, axis: rows.durations, count: height)
        var stack = shades.cells.map { shade in
            shade.map { Glyph.shades[$0 * Glyph.shades.count / DensityShades.shares.count] } ?? " "
        }
        if let median = column.summary.median { stack[line(of: median)] = Glyph.median }
        return stack
    }

    private func line(of value: Double) -> Int {
        min(Int(rows.durations.position(value) * Double(height)), height - 1)
    }

    /// The text to the left of a line: the label of the tick in the line, if any.
    private func edge(_ line: Int) -> String {
        let ticks = rows.durations.ticks.filter { self.line(of: $0) == line - 1 }
        // A label belongs to the lower edge of its line. In a plot with a single line, it belongs to the
        // upper edge.
        let tick = height == 1 ? ticks.last : ticks.first
        let label = line == 0 ? "failed" : tick.map(rows.durations.timeLabel) ?? ""
        return TerminalLabels.edge(label, margin: margin)
    }

    /// The labels of the marked moments. Labels that would touch are omitted.
    var axis: String {
        let labels = rows.scale.visible(rows.scale.ticks).map { tick in
            let share = rows.scale.axis.position(Double(tick.moment))
            return (cell: margin + Int(share * Double(cells)), text: tick.label)
        }
        let unit = rows.durations.isLogarithmic ? "log" : ""
        return TerminalLabels.line(labels, after: unit, width: margin + cells)
    }

    var key: String {
        let shades = "\(Glyph.shades[0]) to \(Glyph.shades[Glyph.shades.count - 1])"
        let plot = isTimeline ? "Bars: median" : "\(Glyph.median) median, \(shades) density"
        let words = ["≤1 %", "≤5 %", "≤20 %", "more", "all"]
        let classes = zip(Glyph.losses.dropFirst(), words).map { "\($0) \($1)" }
        return "\(plot). Failed: \(classes.joined(separator: ", ")). "
            + "\(Glyph.gap) not measured, \(outage)\(Glyph.beyond) beyond the axis"
    }

    private var outage: String {
        rows.rows.contains { !$0.outages.isEmpty } ? "\(Glyph.outage) no answer, " : ""
    }
}

extension Axis {
    /// The label of a tick of query times, with its unit.
    func timeLabel(_ tick: Double) -> String { label(tick) + " ms" }

    fileprivate var timeLabels: [String] { ticks.map(timeLabel) }
}

/// Labels in one line below cells, and labels to the left of cells.
enum TerminalLabels {
    typealias Label = (cell: Int, text: String)

    /// Space to the left of a plot for the usual labels and the edge, and for the widest of `labels`.
    static let leastMargin = 8

    static func margin(for labels: some Sequence<String>) -> Int {
        max(leastMargin, (labels.map(\.count).max() ?? 0) + 1)
    }

    /// A label to the left of a plot, and the edge.
    static func edge(_ label: String, margin: Int) -> String {
        String(repeating: " ", count: max(0, margin - 1 - label.count)) + label
            + String(Glyph.edge)
    }

    /// `labels` centred on cells, in ascending order, after a word. Where labels would touch, only every
    /// second, third and so on is shown.
    static func line(_ labels: [Label], after word: String, width: Int) -> String {
        let fitting = labels.filter { $0.text.count <= width }
        let lines = (1...max(1, fitting.count)).lazy.map { step in
            let kept = stride(from: 0, to: fitting.count, by: step).map { fitting[$0] }
            return fit(kept, after: word, width: width)
        }
        return lines.first { $0.left == 0 }?.text ?? lines.last?.text ?? word
    }

    /// A line with the labels that do not touch a previous label, and the number of omitted labels.
    private typealias Line = (text: String, left: Int)

    private static func fit(_ labels: [Label], after word: String, width: Int) -> Line {
        var (line, left) = (word, 0)
        for (cell, text) in labels {
            let start = max(0, min(cell - text.count / 2, width - text.count))
            if line.isEmpty || start >= line.count + 2 {
                line += String(repeating: " ", count: start - line.count) + text
            } else {
                left += 1
            }
        }
        return (String(line.prefix(width)), left)
    }
}

/// A heat map in cells: one line per weekday. Each hour has a shade and, if there is room, a figure.
private struct TerminalWeekGrid {
    /// The maximum cell width. Wider cells would not show more.
    private static let widest = 6
    /// Space for the name of a weekday.
    private static let margin = 4

    private let panel: HeatmapPanel
    private let cell: Int

    private var scale: HeatScale { panel.scale }

    init(_ chart: Chart, width: Int) {
        panel = HeatmapPanel(chart)
        cell = min((width - Self.margin) / 24, Self.widest)
    }

    /// One block per resolver, with Monday at the top.
    var blocks: [TerminalHistory.Block] {
        panel.grids.map { subject, grid in
            let rows = zip(TimeScale.weekdays, grid.cells).map { day, hours in
                "\(day) " + hours.map { text($0, timeout: subject.summary.timeout) }.joined()
            }
            return (subject.label, rows)
        }
    }

    /// One cell: a shade and the median in whole milliseconds, with decimals if it would round to 0. `!`
    /// follows if more than 1 % failed. Otherwise `~` follows if this cell, but not every cell, has too few
    /// queries for a median.
    private func text(_ bin: TimeBin?, timeout: Double) -> String {
        guard let bin else { return padded(Glyph.gap) }
        guard let median = bin.median(timeout: timeout) else { return padded(Glyph.beyond) }
        let shade = shade(scale.place(median))
        guard cell >= 3 else { return String(repeating: shade, count: cell) }
        let places = median < 0.5 ? FigureText.places(fitting: [median]) : 0
        let figure = DecimalText.fixed(median, places: places)
        let isLossy = bin.loss.rawValue > LossClass.few.rawValue
        let room = cell >= 4 ? cell - 2 : cell - 1
        let shown = figure.count <= room ? figure : ""
        let isMarked = panel.few == .some && !bin.tells(0.5)
        let sign = cell >= 4 ? (isLossy ? "!" : isMarked ? "~" : " ") : ""
        return String(shade) + String(repeating: " ", count: room - shown.count) + shown + sign
    }

    private func padded(_ sign: Character) -> String {
        String(sign) + String(repeating: " ", count: max(0, cell - 1))
    }

    private func shade(_ place: Int) -> Character {
        Glyph.shades[place * (Glyph.shades.count - 1) / max(1, scale.classes.count - 1)]
    }

    /// The hour labels that do not touch.
    var axis: String {
        let labels = (0..<24).map { hour in
            (cell: Self.margin + hour * cell + cell / 2, text: "\(hour)")
        }
        return TerminalLabels.line(labels, after: "", width: Self.margin + 24 * cell)
    }

    /// The bounds of each shade, and the signs.
    var key: String {
        let shades = Glyph.shades.compactMap { shade -> String? in
            let places = scale.classes.indices.filter { self.shade($0) == shade }
            guard let first = places.first, let last = places.last else { return nil }
            return "\(shade) \(scale.text(first...last))"
        }
        let signs = cell >= 4 ? ", ! more than 1 % failed" : ""
        let few =
            switch panel.few {
            case .none: ""
            case .some: cell >= 4 ? ", ~ \(HeatCells.FewQueries.words)" : ""
            case .all: ", each of \(HeatCells.FewQueries.words)"
            }
        return shades.joined(separator: ", ")
            + " ms median by local hour\(signs)\(few), \(Glyph.gap) not measured, \(Glyph.beyond) failed"
    }
}
