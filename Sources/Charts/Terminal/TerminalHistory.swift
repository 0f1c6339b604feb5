/// A chart over time as plain lines of text: a block a resolver, rows no wider than asked for.
package struct TerminalHistory: Hashable, Sendable {
    /// One resolver's lines, from the top, with their axis labels.
    package struct Block: Hashable, Sendable {
        package let label: String
        package let rows: [String]
    }

    /// The resolvers in the order of the chart, as many as a chart shows.
    package let blocks: [Block]
    /// The line of moments, or hours, below every block.
    package let axis: String
    /// What the characters stand for; to be broken at spaces where it is too wide.
    package let key: String
    /// What else is to be said: what was left out, and when the clock changed.
    package let notes: [String]

    /// Draws `chart` into `width` cells, and the plots of a timeline or smoke chart into `height`
    /// lines, the losses below aside; below 32 cells there is nothing to draw.
    package init(
        _ chart: HistoryChart,
        width: Int,
        height: Int,
        glyphs: TerminalBar.Glyphs = .boxDrawing
    ) {
        guard width >= 32 else {
            (blocks, axis, key, notes) = ([], "", "", [])
            return
        }
        // No terminal is larger; the limit keeps odd sizes from asking for much memory.
        let (width, height) = (min(width, 1000), min(max(height, 1), 200))
        let pen = HistoryPen(glyphs)
        notes = [chart.scale.clockNote, chart.omission].compactMap(\.self)
        switch chart.kind {
        case .timeline, .smoke:
            let grid = TerminalTimeGrid(chart, width: width, height: height, pen: pen)
            (blocks, axis) = (grid.blocks, grid.axis)
            key = chart.kind == .timeline ? pen.timelineKey : pen.smokeKey
        case .heatmap:
            let grid = TerminalWeekGrid(chart, width: width, pen: pen)
            (blocks, axis, key) = (grid.blocks, grid.axis, grid.key)
        }
    }

    /// All of it below each other: label, rows and axis of each block, then key and notes.
    package var lines: [String] {
        blocks.flatMap { [$0.label] + $0.rows + [axis] } + ([key] + notes).filter { !$0.isEmpty }
    }
}
