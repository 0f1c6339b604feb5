import Statistics

/// Where the parts of a bar chart's rows go: beside each other, or, where it is narrow, the bar below
/// the label and the figures.
struct BarsLayout {
    static let header = 20.0
    static let footer = 38.0

    let columns: BarsColumns
    /// Of the bars.
    let room: Rect
    let row: Double
    /// Where labels begin, and the most that they may take.
    let left: Double
    let labelWidth: Double
    private let isNarrow: Bool

    /// The height of a row.
    static func row(width: Double) -> Double { width < BarsPanel.leastWide ? 44 : 26 }

    init(_ frame: Rect, rows: Int, labelWidth: Double, noteWidth: Double) {
        isNarrow = frame.width < BarsPanel.leastWide
        row = Self.row(width: frame.width)
        left = frame.x
        let end = frame.right - (isNarrow ? 0 : noteWidth)
        columns = BarsColumns(
            lost: end,
            p95: end - (isNarrow ? 62 : 72),
            median: end - (isNarrow ? 134 : 156)
        )
        // The labels of the first and the last tick need room beyond the axis.
        let start = frame.x + (isNarrow ? 12 : labelWidth + 12)
        room = Rect(
            x: start,
            y: frame.y + Self.header,
            width: (isNarrow ? frame.right - 16 : columns.median - 78) - start,
            height: Double(rows) * row
        )
        self.labelWidth = isNarrow ? columns.median - 62 - frame.x : labelWidth
    }

    /// The middle of a row's bar, and the base line of its texts.
    func levels(ofRow index: Int) -> (centre: Double, base: Double) {
        let top = room.y + Double(index) * row
        return isNarrow ? (top + 31, top + 16) : (top + row / 2, top + row / 2 + 4.5)
    }

    /// What is said beside a resolver: behind the figures, or behind its label where that has room.
    func note(_ text: String, afterLabelOf width: Double, base: Double) -> [Mark] {
        guard isNarrow else {
            return [.text(text, at: Point(x: columns.lost + 14, y: base), .label)]
        }
        let needed = width + 8 + TextMetrics.width(text, size: TextStyle.small.size)
        guard needed <= labelWidth else { return [] }
        return [.text(text, at: Point(x: left + width + 8, y: base), .small)]
    }
}

/// The right ends of the columns of figures.
struct BarsColumns {
    let lost: Double
    let p95: Double
    let median: Double

    func headers(y: Double) -> [Mark] {
        [("median", median), ("p95", p95), ("lost", lost)].map { name, x in
            .text(name, at: Point(x: x, y: y), anchor: .end, .small)
        }
    }

    func figures(_ summary: LatencySummary, places: Int, y: Double) -> [Mark] {
        let median = FigureText.quantile(summary.median, of: summary, places: places)
        let p95 = FigureText.quantile(summary.p95, of: summary, places: places)
        let lost = FigureText.share(summary.lost, of: summary.count)
        return [
            .text(median, at: Point(x: self.median, y: y), anchor: .end, .figure),
            .text(p95, at: Point(x: self.p95, y: y), anchor: .end, .figure),
            .text(
                lost,
                at: Point(x: self.lost, y: y),
                anchor: .end,
                summary.lost > 0 ? .loss : .figure
            ),
        ]
    }
}
