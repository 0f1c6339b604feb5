import Statistics

/// The marks of one row: the parts of the first answer one after the other, and below them how long
/// a query takes on a connection that is kept.
struct OpeningBar {
    private static let height = 11.0
    private static let keptBelow = 11.0

    let subject: ChartSubject
    let opening: Opening
    let plot: Plot
    let centre: Double

    /// In place of a resolver's: a part has the same look whoever it is of. Each differs from its
    /// neighbours in lightness and in texture, so that they are told apart without colour.
    private static let amber = SeriesStyle(index: 4)
    private static let blue = SeriesStyle(index: 0)
    private static let dark = SeriesStyle(index: 6)

    var marks: [Mark] {
        guard subject.summary.count > 0 else { return [] }
        let parts = opening.parts(answered: subject.summary.median)
        let bars = parts.flatMap { part in
            bar(part.part, from: part.start, to: part.end)
        }
        return bars + kept
    }

    private func bar(_ part: OpeningPart, from start: Double, to end: Double?) -> [Mark] {
        let upper = plot.horizontal.upper
        guard start <= upper else { return [] }
        guard let end, end <= upper * (1 + 1e-9) else {
            // Nothing is known of how long it would have taken, or there is no room for it.
            guard end != nil else { return unanswered(from: start) + [arrow] }
            let cut = Rect(
                x: plot.x(start),
                y: centre - Self.height / 2,
                width: max(plot.frame.right - 9 - plot.x(start), 1),
                height: Self.height
            )
            return Self.sample(part, in: cut) + [arrow]
        }
        let left = plot.x(start)
        let isLast = part == .query
        let box = Rect(
            x: left,
            y: centre - Self.height / 2,
            width: max(plot.x(end) - left - (isLast ? 0 : 1), 1),
            height: Self.height
        )
        return Self.sample(part, in: box)
    }

    /// The look of a part, in the chart and in its legend.
    static func sample(_ part: OpeningPart, in box: Rect) -> [Mark] {
        switch part {
        case .connect: return [.rect(box, .fill(nil))]
        case .handshake:
            let lines = Path.hatching(box, gap: 5)
            return [.rect(box, .ground), .rect(box, .pale(amber))]
                + (lines.isEmpty ? [] : [.path(lines, .thin(amber))])
                + [.path(.outline(box), .thin(amber))]
        case .query: return [.rect(box, .fill(blue))]
        }
    }

    /// The look of a query on a connection that is kept.
    static func keptSample(from start: Point, to end: Point) -> [Mark] {
        let diamond = Marker(shape: .diamond, isHollow: false)
        return [
            .line(from: start, to: end, .stroke(dark)),
            .path(diamond.outline(at: end, radius: 5), .ground),
            .path(diamond.outline(at: end, radius: 4), .fill(dark)),
        ]
    }

    private var kept: [Mark] {
        guard let summary = opening.kept, summary.count > 0 else { return [] }
        let y = centre + Self.keptBelow
        let start = Point(x: plot.frame.x, y: y)
        let median = summary.median ?? .infinity
        guard median <= plot.horizontal.upper else {
            let end = Point(x: plot.frame.right - 7, y: y)
            return [.line(from: start, to: end, .dotted(Self.dark)), arrow(at: y, Self.dark)]
        }
        return Self.keptSample(from: start, to: Point(x: plot.x(median), y: y))
    }

    private func unanswered(from start: Double) -> [Mark] {
        [
            .line(
                from: Point(x: plot.x(start), y: centre),
                to: Point(x: plot.frame.right - 7, y: centre),
                .dotted(Self.blue)
            )
        ]
    }

    private var arrow: Mark { arrow(at: centre, Self.blue) }

    private func arrow(at y: Double, _ style: SeriesStyle) -> Mark {
        let tip = Point(x: plot.frame.right, y: y)
        let corners = [
            tip, Point(x: tip.x - 8, y: y - 5), Point(x: tip.x - 8, y: y + 5),
        ]
        return .path(Path(through: corners, closed: true), .fill(style))
    }
}

extension Path {
    /// A line along the inner side of a rectangle's edge.
    fileprivate static func outline(_ rect: Rect) -> Path {
        guard rect.width > 1 else { return .box(rect) }
        return .box(
            Rect(x: rect.x + 0.5, y: rect.y + 0.5, width: rect.width - 1, height: rect.height - 1)
        )
    }
}
