import Statistics

extension HistoryRows {
    private static let title = 21.0
    private static let lane = 14.0
    private static let below = 13.0
    private static let ticks = 20.0
    private static let left = 44.0

    // MARK: - Layout

    private var plotHeight: Double {
        switch rows.count {
        case ...1: 240
        case ...3: 160
        case ...6: 130
        default: 100
        }
    }

    private func labels(of row: Row, width: Double) -> MomentLabels {
        MomentLabels(
            row.marks.map { (scale.axis.position(Double($0.moment)) * width, $0.label) },
            width: width
        )
    }

    private func height(of row: Row, width: Double) -> Double {
        let lanes = Double(labels(of: row, width: width - Self.left).count) * Self.lane
        return Self.title + lanes + plotHeight + strip + Self.below
    }

    /// The height of all rows and of the tick labels below the last.
    func height(width: Double) -> Double {
        rows.reduce(Self.ticks) { $0 + height(of: $1, width: width) }
    }

    /// The rows inside `frame`, each with what `content` draws in its plot.
    func marks(in frame: Rect, content: (Row, Plot) -> [Mark]) -> [Mark] {
        var marks: [Mark] = []
        var y = frame.y
        for (index, row) in rows.enumerated() {
            let height = height(of: row, width: frame.width)
            let room = Rect(
                x: frame.x + Self.left,
                y: y + height - Self.below - strip - plotHeight,
                width: frame.width - Self.left,
                height: plotHeight
            )
            let plot = Plot(frame: room, horizontal: scale.axis, vertical: durations)
            marks.append(
                ResolverHeading.mark(
                    row.subject,
                    row.summary,
                    from: Point(x: room.x, y: y + 13),
                    to: room.right
                )
            )
            marks += gaps(of: row, on: plot) + uprights(on: plot) + plot.levels()
            let tooltip = ResolverHeading.tooltip(row.subject, row.summary)
            marks.append(.group(tooltip: tooltip, content(row, plot)))
            marks += moments(of: row, on: plot)
            y += height
            if index == rows.count - 1 { marks += labels(on: plot, y: y - 2) }
        }
        return marks
    }

    // MARK: - Time

    private func gaps(of row: Row, on plot: Plot) -> [Mark] {
        row.columns.gaps.flatMap { gap -> [Mark] in
            let left = plot.x(Double(gap.lowerBound))
            let width = max(plot.x(Double(gap.upperBound)) - left, 0.6)
            let area = Rect(
                x: min(left, plot.frame.right - width),
                y: plot.frame.y,
                width: width,
                height: plot.frame.height + strip
            )
            let lines = Path.hatching(area, gap: 9)
            return [.rect(area, .gap)] + (lines.isEmpty ? [] : [.path(lines, .hatch)])
        }
    }

    private func uprights(on plot: Plot) -> [Mark] {
        scale.visibleTicks.map { tick in
            let x = plot.x(Double(tick.moment))
            return .line(
                from: Point(x: x, y: plot.frame.y),
                to: Point(x: x, y: plot.frame.bottom + strip),
                .grid
            )
        }
    }

    private func labels(on plot: Plot, y: Double) -> [Mark] {
        var marks: [Mark] = []
        var free = -Double.infinity
        for tick in scale.visibleTicks {
            let half = TextMetrics.width(tick.label, size: TextStyle.small.size) / 2
            guard 2 * half <= plot.frame.width else { continue }
            let x = min(
                max(plot.x(Double(tick.moment)), plot.frame.x + half),
                plot.frame.right - half
            )
            guard x - half > free else { continue }
            marks.append(.text(tick.label, at: Point(x: x, y: y), anchor: .middle, .small))
            free = x + half + 6
        }
        return marks
    }

    private func moments(of row: Row, on plot: Plot) -> [Mark] {
        zip(row.marks, labels(of: row, width: plot.frame.width).places).map { mark, place in
            let x = plot.x(Double(mark.moment))
            let level = plot.frame.y - 5 - Double(place?.lane ?? 0) * Self.lane
            let line = Mark.line(
                from: Point(x: x, y: place == nil ? plot.frame.y : level - 8),
                to: Point(x: x, y: plot.frame.bottom),
                mark.kind == .site ? .site : .moment
            )
            let text = place.map { place in
                Mark.text(
                    place.text,
                    at: Point(x: plot.frame.x + place.x, y: level),
                    anchor: place.anchor,
                    .small
                )
            }
            return .group(tooltip: mark.detail ?? mark.label, [line] + [text].compactMap(\.self))
        }
    }
}
