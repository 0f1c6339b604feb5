struct Point: Hashable, Sendable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// An upright rectangle on a canvas, in user units.
struct Rect: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { x + width }
    var bottom: Double { y + height }

    func inset(by margin: Double) -> Rect {
        Rect(
            x: x + margin,
            y: y + margin,
            width: max(0, width - 2 * margin),
            height: max(0, height - 2 * margin)
        )
    }
}

/// The upper edge of the remaining drawing area.
struct Edge: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double

    var right: Double { x + width }

    /// Whether the width is that of a phone. Elements that are otherwise side by side are then stacked.
    var isNarrow: Bool { width < 560 }

    func below(_ height: Double) -> Edge { Edge(x: x, y: y + height, width: width) }

    /// The rectangle below the edge, reduced by margins.
    func room(top: Double, left: Double, right: Double = 0, height: Double) -> Rect {
        Rect(x: x + left, y: y + top, width: width - left - right, height: height)
    }
}

/// An outline of straight segments, as the `d` attribute of an SVG path.
struct Path: Sendable {
    private(set) var commands = ""
    private var current: (x: String, y: String)?

    mutating func move(to point: Point) {
        let (x, y) = Self.text(point)
        commands += "M\(x) \(y)"
        current = (x, y)
    }

    /// Draws to `point` from the current point. Starts the path at `point` if the path is empty.
    mutating func line(to point: Point) {
        guard let current else { return move(to: point) }
        let (x, y) = Self.text(point)
        if x == current.x, y == current.y { return }
        if y == current.y {
            commands += "H\(x)"
        } else if x == current.x {
            commands += "V\(y)"
        } else {
            commands += "L\(x) \(y)"
        }
        self.current = (x, y)
    }

    /// Appends another outline, not connected to this outline.
    mutating func append(_ other: Path) {
        commands += other.commands
        current = other.current
    }

    var isEmpty: Bool { commands.isEmpty }

    /// One decimal is a tenth of a pixel, and keeps long paths small.
    private static func text(_ point: Point) -> (x: String, y: String) {
        (DecimalText.trimmed(point.x, places: 1), DecimalText.trimmed(point.y, places: 1))
    }

    /// The segments through `points`, closed on request. A single point becomes a dot.
    init(through points: [Point] = [], closed: Bool = false) {
        for point in points { line(to: point) }
        // Round line ends make it visible.
        if points.count == 1 { commands += "h0" }
        guard closed else { return }
        commands += "Z"
        current = nil
    }

    /// The outline of `rect`. Many boxes in one path are much smaller than many rectangles.
    static func box(_ rect: Rect) -> Path {
        let corners = [
            Point(rect.x, rect.y), Point(rect.right, rect.y), Point(rect.right, rect.bottom),
            Point(rect.x, rect.bottom),
        ]
        return Path(through: corners, closed: true)
    }

    static func arrow(at tip: Point) -> Path {
        let back = tip.x - 8
        return Path(through: [tip, Point(back, tip.y - 5), Point(back, tip.y + 5)], closed: true)
    }

    /// Crossed diagonal lines through `rect`.
    static func crossing(_ rect: Rect, gap: Double) -> Path {
        var path = hatching(rect, gap: gap)
        path.append(hatching(rect, gap: gap, isMirrored: true))
        return path
    }

    /// Diagonal lines through `rect`, `gap` apart, aligned with the lines of any other rectangle.
    static func hatching(_ rect: Rect, gap: Double, isMirrored: Bool = false) -> Path {
        func x(_ left: Double) -> Double { isMirrored ? rect.x + rect.right - left : left }
        var path = Path()
        let first = ((rect.x + rect.y) / gap).rounded(.up)
        let last = ((rect.right + rect.bottom) / gap).rounded(.down)
        guard first <= last, last - first < 1000 else { return path }
        for index in Int(first)...Int(last) {
            // The line of points whose x + y equals this sum.
            let sum = Double(index) * gap
            let left = max(rect.x, sum - rect.bottom)
            let right = min(rect.right, sum - rect.y)
            guard right - left > 0.5 else { continue }
            path.move(to: Point(x(left), sum - left))
            path.line(to: Point(x(right), sum - right))
        }
        return path
    }
}
