import Statistics

/// The median of each resolver at each place: one row per place, one column per resolver. Columns that do not
/// fit continue below, with the places repeated.
struct PlacesPanel: Panel {
    private static let rowHeight = 19.0
    private static let laneHeight = 15.0
    /// The range of column widths. Narrower columns have no room for a figure; wider columns are not needed.
    private static let columnWidths = 36.0...96.0
    /// The maximum share of the width for the names of places.
    private static let leftShare = 0.3

    private let grid: PlaceGrid
    private let scale: HeatScale
    /// The cells by place and resolver.
    private let figures: [[HeatCells.Figure?]]

    init(_ chart: Chart) {
        grid = PlaceGrid(chart.subjects)
        figures = grid.cells.map { $0.map { $0.map(HeatCells.Figure.init) } }
        scale = HeatScale(grid.measured.compactMap(\.median))
    }

    var nothing: String? {
        grid.places.isEmpty ? "Nothing was measured in this window." : nil
    }

    var notes: [String] {
        let marks = HeatCells.words(figures.flatMap(\.self))
        return ["Cells: median query time (ms) of a resolver at a place; darker is slower."]
            + (marks.isEmpty ? [] : [marks.joined(separator: " ")])
    }

    func drawing(below edge: Edge) -> Drawing {
        let tellsFailed = grid.measured.contains { $0.median == nil }
        let names = grid.places.map { TextStyle.label.width($0) }.max() ?? 0
        let left = min(names + 9, edge.width * Self.leftShare)
        // Half a column is reserved for the last name, which may be two columns wide.
        let most = Int((edge.width - left) / Self.columnWidths.lowerBound - 0.5)
        let count = grid.resolvers.count
        let blocks = (count + most - 1) / most
        let share = (count + blocks - 1) / blocks
        let room = (edge.width - left) / (Double(share) + 0.5)
        let width = min(room, Self.columnWidths.upperBound).rounded(.down)
        return stride(from: 0, to: count, by: share).reduce(
            into: scale.legend(tellsFailed: tellsFailed).drawing(below: edge)
        ) { drawing, start in
            let columns = start..<min(start + share, count)
            let block = block(columns, left: left, column: width, below: drawing.end)
            drawing.marks += block.marks
            drawing.end = block.end.below(14)
        }
    }

    private func block(
        _ columns: Range<Int>,
        left: Double,
        column width: Double,
        below edge: Edge
    ) -> Drawing {
        let heads = columns.map { grid.resolvers[$0] }
        // Names wider than their column alternate between two lines.
        let lanes = heads.contains { TextStyle.small.width($0) > width - 4 } ? 2 : 1
        let top = Double(lanes) * Self.laneHeight + 3
        let height = Double(grid.places.count) * Self.rowHeight
        let room = edge.room(top: top, left: left, height: height)
        let names = heads.enumerated().map { index, head in
            let lane = Double(lanes - 1 - index % lanes)
            let limit = Double(lanes) * width - 4
            let base = Point(
                room.x + (Double(index) + 0.5) * width,
                room.y - 6 - lane * Self.laneHeight
            )
            let text = TextStyle.small.elided(head, to: limit)
            return Mark.group(tooltip: head, [.text(text, at: base, anchor: .middle, .small)])
        }
        let places = grid.places.enumerated().map { index, place in
            let base = Point(room.x - 7, room.y + (Double(index) + 0.5) * Self.rowHeight + 4)
            let text = TextStyle.label.elided(place, to: left - 9)
            return Mark.group(tooltip: place, [.text(text, at: base, anchor: .end, .label)])
        }
        var cells = HeatCells(scale: scale, few: HeatCells.FewQueries(figures.flatMap(\.self)))
        for row in grid.places.indices {
            for (index, column) in columns.enumerated() {
                let cell = Rect(
                    x: room.x + Double(index) * width,
                    y: room.y + Double(row) * Self.rowHeight,
                    width: width - 1,
                    height: Self.rowHeight - 1
                )
                cells.add(figures[row][column], in: cell)
            }
        }
        return (names + places + cells.marks, edge.below(top + height))
    }
}

extension HeatCells.Figure {
    fileprivate init(_ summary: LatencySummary) {
        self.init(
            median: summary.median,
            loss: summary.loss,
            isOfFew: summary.count < TimeBin.fewestForMedian
        )
    }
}
