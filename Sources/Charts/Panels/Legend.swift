/// Line samples with their labels, in rows that fill a width.
struct Legend {
    private static let row = 19.0
    private static let sample = 30.0

    let marks: [Mark]
    let height: Double

    init(entries: [(label: String, style: SeriesStyle)], frame: Rect) {
        var marks: [Mark] = []
        var x = frame.x
        var y = frame.y + 8
        for (label, style) in entries {
            let text = TextMetrics.elided(label, to: 200, size: 12.5)
            let width = Self.sample + 6 + TextMetrics.width(text, size: 12.5)
            if x > frame.x, x + width > frame.right {
                x = frame.x
                y += Self.row
            }
            let end = Point(x: x + Self.sample, y: y)
            marks.append(.line(from: Point(x: x, y: y), to: end, .curve(style)))
            marks.append(.text(text, at: Point(x: end.x + 6, y: y + 4.5), .label))
            x += width + 22
        }
        self.marks = marks
        height = entries.isEmpty ? 0 : y - frame.y + 20
    }
}
