/// A place on a canvas, in user units from the top left corner.
struct Point: Hashable, Sendable {
    var x: Double
    var y: Double
}

/// An upright rectangle on a canvas, in user units.
struct Rect: Hashable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var right: Double { x + width }
    var bottom: Double { y + height }
}

/// An outline of straight segments, as the `d` attribute of an SVG path.
struct Path: Hashable, Sendable {
    private(set) var commands = ""
    private var current: (x: String, y: String)?

    /// Starts a new stretch at `point`.
    mutating func move(to point: Point) {
        let (x, y) = Self.text(point)
        commands += "M\(x) \(y)"
        current = (x, y)
    }

    /// Draws to `point` from where the path is; starts there if it has not begun.
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

    /// A point of its own, which round line ends make visible.
    mutating func dot(at point: Point) {
        move(to: point)
        commands += "h0"
    }

    /// Closes the stretch that was begun last.
    mutating func close() {
        commands += "Z"
        current = nil
    }

    /// Goes on with another outline, apart from this one.
    mutating func append(_ other: Path) {
        commands += other.commands
        current = other.current
    }

    var isEmpty: Bool { commands.isEmpty }

    /// One decimal is a tenth of a pixel, and keeps long lines small.
    private static func text(_ point: Point) -> (x: String, y: String) {
        (DecimalText.trimmed(point.x, places: 1), DecimalText.trimmed(point.y, places: 1))
    }

    static func == (left: Path, right: Path) -> Bool { left.commands == right.commands }

    func hash(into hasher: inout Hasher) { hasher.combine(commands) }
}

extension Path {
    /// The segments through `points`, closed if asked for.
    init(through points: [Point], closed: Bool = false) {
        for point in points { line(to: point) }
        if closed { close() }
    }

    /// The outline of `rect`: many boxes in one path are much smaller than many rectangles.
    static func box(_ rect: Rect) -> Path {
        let corners = [
            Point(x: rect.x, y: rect.y), Point(x: rect.right, y: rect.y),
            Point(x: rect.right, y: rect.bottom), Point(x: rect.x, y: rect.bottom),
        ]
        return Path(through: corners, closed: true)
    }

    /// Slanted lines through `rect`, `gap` apart, in step with those of any other rectangle.
    static func hatching(_ rect: Rect, gap: Double) -> Path {
        var path = Path()
        let first = ((rect.x + rect.y) / gap).rounded(.up)
        let last = ((rect.right + rect.bottom) / gap).rounded(.down)
        guard first <= last, last - first < 1000 else { return path }
        for index in Int(first)...Int(last) {
            // The line of points whose x + y is this sum.
            let sum = Double(index) * gap
            let left = max(rect.x, sum - rect.bottom)
            let right = min(rect.right, sum - rect.y)
            guard right - left > 0.5 else { continue }
            path.move(to: Point(x: left, y: sum - left))
            path.line(to: Point(x: right, y: sum - right))
        }
        return path
    }
}
