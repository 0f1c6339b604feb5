/// One chart of a sheet. It supplies its texts, and draws itself below an edge.
protocol Panel {
    /// The reason why there is nothing to draw. `nil` if there is something. Other members are used only if
    /// this is `nil`.
    var nothing: String? { get }
    /// How to read the marks, and what was omitted.
    var notes: [String] { get }

    func drawing(below edge: Edge) -> Drawing
}

/// The marks, and the edge below them.
typealias Drawing = (marks: [Mark], end: Edge)

extension Panel {
    var remarks: [String] { nothing.map { [$0] } ?? notes }

    func drawn(below edge: Edge) -> Drawing { nothing == nil ? drawing(below: edge) : ([], edge) }
}

extension TimeScale {
    /// The tick labels below an axis, within its ends. Where labels would touch, dates take precedence over
    /// hours.
    func labels(from left: Double, to right: Double, y: Double) -> [Mark] {
        let parts = [false, true].flatMap { isHour in
            visible(ticks).filter { $0.label.contains(":") == isHour }
        }
        var taken: [(left: Double, right: Double)] = []
        return parts.compactMap { tick in
            let half = TextStyle.small.width(tick.label) / 2
            guard 2 * half <= right - left else { return nil }
            let wish = left + axis.position(Double(tick.moment)) * (right - left)
            let x = min(max(wish, left + half), right - half)
            guard taken.allSatisfy({ $0.right + 6 < x - half || x + half < $0.left - 6 }) else {
                return nil
            }
            taken.append((x - half, x + half))
            return .text(tick.label, at: Point(x, y), anchor: .middle, .small)
        }
    }
}

/// A rectangle whose sides are axes.
struct Plot {
    let frame: Rect
    let horizontal: Axis
    var vertical = Axis.linear(to: 1, tickCount: 1)

    func point(_ x: Double, _ y: Double) -> Point { Point(self.x(x), self.y(y)) }

    func x(_ value: Double) -> Double { frame.x + horizontal.position(value) * frame.width }

    func y(_ value: Double) -> Double { frame.bottom - vertical.position(value) * frame.height }

    /// Vertical grid lines with their labels, and the base line. Labels that would touch are omitted.
    func uprights() -> [Mark] {
        let grid = horizontal.ticks.map {
            Mark.upright(x($0), from: frame.y, to: frame.bottom, .grid)
        }
        let labels = horizontal.ticks.map { (text: horizontal.label($0), x: x($0)) }
        return grid + .labels(labels, y: frame.bottom + 15) + [base]
    }

    /// Vertical grid lines at the ticks of `scale`, for a time axis.
    func uprights(of scale: TimeScale) -> [Mark] {
        let labels = scale.labels(from: frame.x, to: frame.right, y: frame.bottom + 15)
        return grid(of: scale, to: frame.bottom) + labels + [base]
    }

    func grid(of scale: TimeScale, to bottom: Double) -> [Mark] {
        scale.visible(scale.ticks).map { tick in
            .upright(x(Double(tick.moment)), from: frame.y, to: bottom, .grid)
        }
    }

    func title(_ text: String) -> Mark {
        .text(text, at: Point(frame.x, frame.bottom + 32), .small)
    }

    var base: Mark { .level(frame.bottom, from: frame.x, to: frame.right, .axis) }

    /// Horizontal grid lines, with their labels to the left of the frame.
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
