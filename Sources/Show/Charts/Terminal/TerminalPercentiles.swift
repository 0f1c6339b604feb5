/// The logarithmic percentile histogram in cells: one plot, a sign a resolver.
///
/// ```
///    > 5 s│▲
///   50 ms│ ■■■■■■■■■
///   20 ms│●●●●●●    ■■■■■■■■■■■■■■■■■  ■ harbour
///   10 ms│      ●●●●●●●●●●●●●●●●●●●●●  ● brook
///         1      5   10     50   100
/// ```
package struct TerminalPercentiles: Sendable {
    /// The lines of the plot from the top. Each contains the label of the resolver whose line ends there, or
    /// nearby if several lines end there.
    package let rows: [(plot: String, label: String)]
    /// The line of shares below the plot.
    package let axis: String
    /// The explanation of the axes and signs, and the number of omitted resolvers.
    package let key: [String]

    private static let signs = Array("●■◆★▼○□◇☆▽✚✖")

    /// Draws the resolvers of `chart` into `width` cells and about `height` lines. Below the minimum width it
    /// draws nothing.
    package init(_ chart: Chart, width: Int, height: Int) {
        let lines = chart.drawn.map {
            PercentileLine(DistributionLine(subject: $0.subject, style: $0.style))
        }
        .filter { $0.line.total > 0 }
        guard width >= TerminalHistory.leastWidth, !lines.isEmpty else {
            (rows, axis, key) = ([], "", [])
            return
        }
        // Each label requires its own line.
        let height = max(min(height, 24), lines.count, 8)
        let times = PercentilesPanel.times(lines, tickCount: height / 2)
        // Values beyond every time have their own row at the top.
        let isLossy = lines.contains(where: \.reachesTimeout)
        let top = isLossy ? height - 2 : height - 1
        func row(_ time: Double?) -> Int {
            time.map { Int((times.position($0) * Double(top)).rounded()) } ?? height - 1
        }
        let ticks = Dictionary(
            times.ticks.map { (row($0), times.timeLabel($0)) }
                + (isLossy ? [(height - 1, PercentilesPanel.timeoutText(lines))] : []),
            uniquingKeysWith: { first, _ in first }
        )
        let margin = TerminalLabels.margin(for: ticks.values)
        let cells = min(width, 1000) - margin
        let shares = PercentilesPanel.shares(lines, tickCount: cells / 8)
        let grid = Self.grid(lines, cells: cells, height: height, shares, row)
        let labels = Self.labels(lines, height: height, row)
        rows = grid.indices.reversed().map { index in
            let edge = TerminalLabels.edge(ticks[index] ?? "", margin: margin)
            return (edge + String(grid[index]), labels[index] ?? "")
        }
        axis = TerminalLabels.line(
            shares.ticks.map { tick in
                (margin + Int(shares.position(tick) * Double(cells)), shares.label(tick))
            },
            after: "",
            width: margin + cells
        )
        let timeouts = isLossy ? " \(Glyph.beyond) \(FigureText.beyond)." : ""
        key =
            [
                "x axis: \(PercentilesPanel.title): 5 is p95, 1 is p99; y axis: query time, "
                    + "logarithmic.\(timeouts)"
            ]
            + chart.omission
    }

    /// The signs of the lines, from the lowest row up.
    private static func grid(
        _ lines: [PercentileLine],
        cells: Int,
        height: Int,
        _ shares: Axis,
        _ row: (_ time: Double?) -> Int
    ) -> [[Character]] {
        var grid = [[Character]](
            repeating: [Character](repeating: " ", count: cells),
            count: height
        )
        // The first resolver is drawn last, on top of the others.
        for (line, sign) in zip(lines, signs).reversed() {
            for cell in 0..<cells {
                let share = shares.value((Double(cell) + 0.5) / Double(cells))
                guard share >= line.leastShare else { continue }
                let time = line.time(atSlowest: share)
                grid[row(time)][cell] = time == nil ? Glyph.beyond : sign
            }
        }
        return grid
    }

    /// The labels of the rows at or near the ends of the lines.
    private static func labels(
        _ lines: [PercentileLine],
        height: Int,
        _ row: (_ time: Double?) -> Int
    ) -> [Int: String] {
        let ends = zip(lines, signs).map { line, sign in
            (row: row(line.fastest), label: "\(sign) \(line.line.label())")
        }
        .sorted { $0.row < $1.row }
        let places = LabelPlacement.spread(
            ends.map { Double($0.row) },
            gap: 1,
            in: 0...Double(height - 1)
        )
        return Dictionary(
            zip(places, ends).map { (Int($0.rounded()), $1.label) },
            uniquingKeysWith: { "\($0), \($1)" }
        )
    }
}
