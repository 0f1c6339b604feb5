/// Where the small plots of a rounds chart go: two columns, or one where there is a single name or
/// no room.
struct RoundsGrid {
    private static let gap = 30.0
    private static let title = 18.0
    private static let tickLabels = 34.0
    private static let laneHeight = 8.0
    /// Lossy resolvers beyond these share the last lane.
    private static let laneLimit = 6

    private let columns: Int
    private let rows: Int
    private let strip: Double
    private let plotHeight: Double
    private let width: Double

    /// A grid for plots of `names`, each with a strip of `lanes` above it, over a width.
    init(names: Int, lanes: Int, width: Double) {
        columns = names > 1 && width >= RoundsPanel.leastWide ? 2 : 1
        rows = (names + columns - 1) / columns
        strip = Double(min(lanes, Self.laneLimit)) * Self.laneHeight + 3
        plotHeight = names > 1 ? 92 : 240
        self.width = (width - Double(columns - 1) * Self.gap) / Double(columns)
    }

    private var step: Double { Self.title + strip + plotHeight + Self.tickLabels }

    /// The height of all cells.
    var height: Double { Double(rows) * step }

    /// The cell of the plot at `index`, with its title, strip and tick labels.
    func cell(_ index: Int, from top: Point) -> Rect {
        Rect(
            x: top.x + Double(index % columns) * (width + Self.gap),
            y: top.y + Double(index / columns) * step,
            width: width,
            height: step
        )
    }

    /// The plot inside a cell.
    func room(of cell: Rect) -> Rect {
        Rect(
            x: cell.x + 40,
            y: cell.y + Self.title + strip,
            width: cell.width - 40,
            height: plotHeight
        )
    }

    /// The level of the crosses of a lane above a plot.
    static func lane(_ index: Int, above plot: Rect) -> Double {
        plot.y - 7 - Double(min(index, laneLimit - 1)) * laneHeight
    }
}
