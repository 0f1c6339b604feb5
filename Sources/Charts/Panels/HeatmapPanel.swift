import Statistics

/// The median by hour of day and weekday: a grid a resolver, all in the same colours.
struct HeatmapPanel: Panel {
    private static let left = 44.0
    private static let title = 21.0
    private static let hours = 16.0
    private static let below = 12.0
    private static let cellHeight = 19.0
    private static let legend = 36.0

    private let chart: HistoryChart
    private let grids: [(subject: TimelineSubject, summary: LatencySummary, grid: WeekGrid)]
    private let scale: HeatScale

    init(_ chart: HistoryChart) {
        self.chart = chart
        let all = chart.subjects.map { WeekGrid($0.bins, over: chart.scale) }
        scale = HeatScale(all.flatMap(\.medians))
        grids = chart.drawn.map { subject, index, _ in
            let summary = subject.summary(of: all[index].bins)
            return (subject, summary, all[index])
        }
    }

    var heading: String { "Query time by hour of day and weekday" }

    private var isEmpty: Bool { grids.allSatisfy(\.grid.bins.isEmpty) }

    var notes: [String] {
        guard !isEmpty else { return ["Nothing was measured in this window."] }
        var reading =
            "Figures: median (ms) of the hour that begins then, local time; darker is slower."
        if scale.isLogarithmic { reading += " The classes grow by factors." }
        var marks: [String] = []
        if grids.contains(where: { $0.grid.bins.contains { $0.loss != .none } }) {
            marks.append("Corner: queries were lost, the larger the more.")
        }
        if grids.contains(where: { $0.grid.bins.contains { $0.latency.quantile(0.5) == nil } }) {
            marks.append("Lost: the median lies beyond the timeout.")
        }
        if grids.contains(where: { $0.grid.bins.count < 7 * 24 }) {
            marks.append("Hatched: nothing was measured.")
        }
        if grids.contains(where: \.grid.isUneven) {
            marks.append(
                "Hours as stored do not begin on the hour here; each counts to its middle."
            )
        }
        return [
            reading, marks.joined(separator: " "), chart.scale.clockNote ?? "",
            chart.omission ?? "",
        ].filter { !$0.isEmpty }
    }

    private var step: Double { Self.title + 7 * Self.cellHeight + Self.hours + Self.below }

    func height(width: Double) -> Double {
        isEmpty ? 0 : Self.legend + Double(grids.count) * step
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !isEmpty else { return [] }
        let top = Point(x: frame.x + Self.left, y: frame.y)
        return HeatLegend.marks(scale, at: top, width: frame.width - Self.left)
            + grids.indices.flatMap { index in
                let y = frame.y + Self.legend + Double(index) * step
                return grid(index, in: Rect(x: frame.x, y: y, width: frame.width, height: step))
            }
    }

    private func grid(_ index: Int, in frame: Rect) -> [Mark] {
        let (subject, summary, grid) = grids[index]
        let width = ((frame.width - Self.left) / 24).rounded(.down)
        let room = Rect(
            x: frame.x + Self.left,
            y: frame.y + Self.title,
            width: width * 24,
            height: 7 * Self.cellHeight
        )
        let heading = ResolverHeading.mark(
            subject,
            summary,
            from: Point(x: room.x, y: frame.y + 13),
            to: room.right
        )
        var cells = HeatCells(scale: scale)
        for (weekday, hours) in grid.cells.enumerated() {
            for (hour, bin) in hours.enumerated() {
                let cell = Rect(
                    x: room.x + Double(hour) * width,
                    y: room.y + Double(weekday) * Self.cellHeight,
                    width: width - 1,
                    height: Self.cellHeight - 1
                )
                cells.add(bin, in: cell)
            }
        }
        let tooltip = ResolverHeading.tooltip(subject, summary)
        return [heading] + labels(around: room, cell: width)
            + [.group(tooltip: tooltip, cells.marks)]
    }

    private func labels(around room: Rect, cell: Double) -> [Mark] {
        let days = chart.scale.weekdays.prefix(7).enumerated().map { weekday, name in
            Mark.text(
                TextMetrics.elided(name, to: Self.left - 8, size: TextStyle.small.size),
                at: Point(
                    x: room.x - 7,
                    y: room.y + Double(weekday) * Self.cellHeight + Self.cellHeight / 2 + 3.5
                ),
                anchor: .end,
                .small
            )
        }
        let step = cell < 16 ? 3 : 1
        let hours = stride(from: 0, to: 24, by: step).map { hour in
            Mark.text(
                "\(hour)",
                at: Point(x: room.x + (Double(hour) + 0.5) * cell, y: room.bottom + 12),
                anchor: .middle,
                .small
            )
        }
        return days + hours
    }
}
