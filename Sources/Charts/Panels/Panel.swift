/// One chart of a sheet: it knows how high it must be and what to draw in the room it gets.
protocol Panel {
    /// What the chart shows, in a few words.
    var heading: String { get }
    /// How its marks are to be read, and what was left out.
    var notes: [String] { get }

    /// The height of the drawing, without heading and notes, at a width.
    func height(width: Double) -> Double

    /// The drawing inside `frame`.
    func marks(in frame: Rect) -> [Mark]
}

extension Panel {
    /// Narrower drawings are for phones: what else stands side by side stands one above the other.
    static var leastWide: Double { 560 }
}

/// A rectangle whose sides are axes.
struct Plot {
    let frame: Rect
    let horizontal: Axis
    let vertical: Axis

    /// The place of a pair of values.
    func point(_ x: Double, _ y: Double) -> Point {
        Point(x: self.x(x), y: self.y(y))
    }

    /// How far from the left of the canvas a value of the horizontal axis lies.
    func x(_ value: Double) -> Double {
        frame.x + horizontal.position(value) * frame.width
    }

    /// How far from the top of the canvas a value of the vertical axis lies.
    func y(_ value: Double) -> Double {
        frame.bottom - vertical.position(value) * frame.height
    }

    /// Upright grid lines with their labels below the frame, less those that would touch, and the
    /// base line.
    func uprights() -> [Mark] {
        let grid = horizontal.ticks.map { tick in
            Mark.line(
                from: Point(x: x(tick), y: frame.y),
                to: Point(x: x(tick), y: frame.bottom),
                .grid
            )
        }
        let level = frame.bottom + 15
        var free = -Double.infinity
        var labels: [Mark] = []
        for tick in horizontal.ticks {
            let label = horizontal.label(tick)
            let half = TextMetrics.width(label, size: TextStyle.small.size) / 2
            guard x(tick) - half > free else { continue }
            labels.append(.text(label, at: Point(x: x(tick), y: level), anchor: .middle, .small))
            free = x(tick) + half + 4
        }
        let base = Mark.line(
            from: Point(x: frame.x, y: frame.bottom),
            to: Point(x: frame.right, y: frame.bottom),
            .axis
        )
        return grid + labels + [base]
    }

    /// Level grid lines with their labels left of the frame.
    func levels(unit: String = "") -> [Mark] {
        vertical.ticks.flatMap { tick in
            [
                Mark.line(
                    from: Point(x: frame.x, y: y(tick)),
                    to: Point(x: frame.right, y: y(tick)),
                    .grid
                ),
                Mark.text(
                    vertical.label(tick) + unit,
                    at: Point(x: frame.x - 7, y: y(tick) + 4),
                    anchor: .end,
                    .small
                ),
            ]
        }
    }
}

extension Axis {
    /// The title of an axis of query times.
    var durationTitle: String {
        scale == .linear ? "query time (ms)" : "query time (ms, logarithmic axis)"
    }
}
