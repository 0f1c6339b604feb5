/// One chart of a sheet: it says what there is to be said, and draws below an edge.
protocol Panel {
    /// That there is nothing to draw, in words; `nil` where there is. The rest is asked for only then.
    var nothing: String? { get }
    /// How its marks are to be read, and what was left out.
    var notes: [String] { get }

    func drawing(below edge: Edge) -> Drawing
}

/// Marks, and the edge below them.
typealias Drawing = (marks: [Mark], end: Edge)

extension Panel {
    var remarks: [String] { nothing.map { [$0] } ?? notes }

    func drawn(below edge: Edge) -> Drawing { nothing == nil ? drawing(below: edge) : ([], edge) }
}

/// A rectangle whose sides are axes.
struct Plot {
    let frame: Rect
    let horizontal: Axis
    var vertical = Axis.linear(to: 1, tickCount: 1)

    func point(_ x: Double, _ y: Double) -> Point { Point(self.x(x), self.y(y)) }

    func x(_ value: Double) -> Double { frame.x + horizontal.position(value) * frame.width }

    func y(_ value: Double) -> Double { frame.bottom - vertical.position(value) * frame.height }

    /// Upright grid lines with their labels, less those that would touch, and the base line.
    func uprights() -> [Mark] {
        let grid = horizontal.ticks.map {
            Mark.upright(x($0), from: frame.y, to: frame.bottom, .grid)
        }
        let labels = horizontal.ticks.map { (text: horizontal.label($0), x: x($0)) }
        return grid + .labels(labels, y: frame.bottom + 15) + [base]
    }

    func title(_ text: String) -> Mark {
        .text(text, at: Point(frame.x, frame.bottom + 32), .small)
    }

    var base: Mark { .level(frame.bottom, from: frame.x, to: frame.right, .axis) }

    /// Level grid lines with their labels left of the frame.
    func levels(unit: String = "") -> [Mark] {
        vertical.ticks.flatMap { tick in
            let (label, place) = (vertical.label(tick) + unit, Point(frame.x - 7, y(tick) + 4))
            return [
                Mark.level(y(tick), from: frame.x, to: frame.right, .grid),
                .text(label, at: place, anchor: .end, .small),
            ]
        }
    }
}
