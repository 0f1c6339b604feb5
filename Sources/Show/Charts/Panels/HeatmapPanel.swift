import Statistics

/// The median by hour of day and weekday: one grid per resolver, with the same colours in all grids.
struct HeatmapPanel: Panel {
    private static let left = 44.0
    private static let title = 21.0
    private static let cellHeight = 19.0

    private let chart: Chart
    let grids: [(subject: ChartSubject, grid: WeekGrid)]
    let scale: HeatScale
    /// The cells with few queries.
    let few: HeatCells.FewQueries
    /// The contents of all cells.
    private let figures: [HeatCells.Figure?]

    init(_ chart: Chart) {
        self.chart = chart
        let all = chart.subjects.map { WeekGrid($0.bins, over: chart.scale) }
        let timeouts = chart.subjects.map(\.summary.timeout)
        scale = HeatScale(zip(all, timeouts).flatMap { $0.medians(timeout: $1).compactMap(\.self) })
        grids = chart.drawn.map { ($0.subject, all[$0.index]) }
        figures = grids.flatMap { $0.grid.figures(timeout: $0.subject.summary.timeout).joined() }
        few = HeatCells.FewQueries(figures)
    }

    var nothing: String? {
        grids.allSatisfy(\.grid.bins.isEmpty) ? "Nothing was measured in this window." : nil
    }

    var notes: [String] {
        let isUneven = grids.contains(where: \.grid.isUneven)
        let marks =
            HeatCells.words(figures)
            + (isUneven
                ? ["Stored hours do not start on the local hour; each is placed by its middle."]
                : [])
        return ["Cells: median query time (ms) by local hour; darker is slower."]
            + (marks.isEmpty ? [] : [marks.joined(separator: " ")])
            + chart.scale.clockNotes + chart.omission
    }

    func drawing(below edge: Edge) -> Drawing {
        grids.reduce(into: legend.drawing(below: edge)) { drawing, drawn in
            drawing.marks += marks(of: drawn.subject, drawn.grid, below: drawing.end)
            drawing.end = drawing.end.below(Self.title + 7 * Self.cellHeight + 28)
        }
    }

    private var legend: Legend {
        let tellsFailed = grids.contains { subject, grid in
            grid.medians(timeout: subject.summary.timeout).contains(nil)
        }
        return scale.legend(tellsFailed: tellsFailed)
    }

    private func marks(of subject: ChartSubject, _ grid: WeekGrid, below edge: Edge) -> [Mark] {
        let height = Self.cellHeight
        var room = edge.room(top: Self.title, left: Self.left, height: 7 * height)
        let width = (room.width / 24).rounded(.down)
        room.width = width * 24
        var cells = HeatCells(scale: scale, few: few)
        let figures = grid.figures(timeout: subject.summary.timeout)
        for (weekday, hours) in figures.enumerated() {
            for (hour, figure) in hours.enumerated() {
                let place = Point(room.x + Double(hour) * width, room.y + Double(weekday) * height)
                let cell = Rect(x: place.x, y: place.y, width: width - 1, height: height - 1)
                cells.add(figure, in: cell)
            }
        }
        return [subject.heading(from: Point(room.x, edge.y + 13), to: room.right)]
            + labels(around: room, cell: width) + [.group(tooltip: subject.tooltip, cells.marks)]
    }

    private func labels(around room: Rect, cell: Double) -> [Mark] {
        let days = TimeScale.weekdays.enumerated().map { weekday, name in
            let middle = room.y + (Double(weekday) + 0.5) * Self.cellHeight
            return Mark.text(name, at: Point(room.x - 7, middle + 3.5), anchor: .end, .small)
        }
        let hours = stride(from: 0, to: 24, by: cell < 16 ? 3 : 1).map { hour in
            let place = Point(room.x + (Double(hour) + 0.5) * cell, room.bottom + 12)
            return Mark.text("\(hour)", at: place, anchor: .middle, .small)
        }
        return days + hours
    }
}

extension WeekGrid {
    /// The contents of the grid's cells.
    fileprivate func figures(timeout: Double) -> [[HeatCells.Figure?]] {
        cells.map { day in
            day.map { bin in
                bin.map {
                    HeatCells.Figure(
                        median: $0.median(timeout: timeout),
                        loss: $0.loss,
                        isOfFew: !$0.tells(0.5)
                    )
                }
            }
        }
    }
}
