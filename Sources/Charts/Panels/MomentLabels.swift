/// The labels of moments above a plot: beside their line, in as many lanes as they need.
struct MomentLabels {
    /// Where a label goes: right of its line, or left of it where the plot ends.
    struct Place: Hashable {
        let lane: Int
        let text: String
        let x: Double
        let anchor: TextAnchor
    }

    /// More labels above each other would be read as a list; the rest are tooltips only.
    private static let laneLimit = 3

    /// A place for each moment, in their order; `nil` for one that finds no room.
    let places: [Place?]

    /// Places labels of lines at `x`, ascending, that lie from 0 to `width`.
    init(_ labels: [(x: Double, text: String)], width: Double) {
        var taken = [Double](repeating: -.infinity, count: Self.laneLimit)
        places = labels.map { x, text in
            let size = TextStyle.small.size
            let isRight = x + 4 + TextMetrics.width(text, size: size) <= width || x < width / 2
            let room = (isRight ? width - x : x) - 4
            let short = TextMetrics.elided(text, to: room, size: size)
            let length = TextMetrics.width(short, size: size)
            let start = isRight ? x + 4 : x - 4 - length
            guard let lane = taken.firstIndex(where: { $0 + 10 <= start }) else { return nil }
            taken[lane] = start + length
            return Place(
                lane: lane,
                text: short,
                x: isRight ? x + 4 : x - 4,
                anchor: isRight ? .start : .end
            )
        }
    }

    /// How many lanes are in use.
    var count: Int { places.compactMap { $0?.lane }.max().map { $0 + 1 } ?? 0 }
}
