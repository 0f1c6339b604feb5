/// The rows of a bar chart. Labels and figures are next to the bars, or above them in a narrow chart.
struct BarRows {
    let isNarrow: Bool
    /// The left end of the labels, and their maximum width.
    let left: Double
    let labelWidth: Double
    /// The right ends of the columns with figures.
    let columns: [Double]
    let room: Rect
    /// The upper ends of the rows.
    let tops: [Double]
    let end: Edge

    /// Rows of `heights` below a header. Columns have the given widths, and labels too in a wide chart. In a
    /// narrow chart, bars begin `inset` from the left.
    init(
        below edge: Edge,
        header: Double,
        heights: [Double],
        inset: Double,
        label: (left: Double, width: Double),
        columns: (ends: [Double], width: Double)
    ) {
        isNarrow = edge.isNarrow
        left = edge.x + label.left
        self.columns = columns.ends
        let end = columns.ends[0] - columns.width
        labelWidth = isNarrow ? end - left : label.width
        // The labels of the first and last ticks extend beyond the axis.
        room = edge.room(
            top: header,
            left: isNarrow ? inset : label.left + label.width + 12,
            right: isNarrow ? 16 : edge.right - end,
            height: heights.reduce(0, +)
        )
        tops = heights.reduce(into: [room.y]) { $0.append($0[$0.count - 1] + $1) }
        self.end = edge.below(header + room.height + 38)
    }

    /// The label of a resolver. Bold for the resolvers of most interest to the reader.
    func label(_ text: String, of role: ChartSubject.Role, y: Double)
        -> (mark: Mark, width: Double)
    {
        let style: TextStyle = role == .other ? .label : .strong
        let text = style.elided(text, to: labelWidth)
        return (.text(text, at: Point(left, y), style), style.width(text))
    }

    func cells(_ texts: [(text: String, style: TextStyle)], y: Double) -> [Mark] {
        zip(columns, texts).map { .text($1.text, at: Point($0, y), anchor: .end, $1.style) }
    }
}

extension Plot {
    /// Dots from `start` to the arrow at the right end. They show that the end is unknown.
    func dots(from start: Double, y: Double, _ style: SeriesStyle?) -> Mark {
        .level(y, from: start, to: frame.right - 7, .dotted(style))
    }

    func arrow(y: Double, _ style: SeriesStyle?) -> Mark {
        .path(.arrow(at: Point(frame.right, y)), .fill(style))
    }
}
