extension [Mark] {
    /// Small texts along an axis, with their middles at `x`, ascending: those that would touch the one
    /// before are left out.
    static func labels(_ labels: [(text: String, x: Double)], y: Double) -> [Mark] {
        var free = -Double.infinity
        return labels.compactMap { label in
            let half = TextStyle.small.width(label.text) / 2
            guard label.x - half > free else { return nil }
            free = label.x + half + 4
            return .text(label.text, at: Point(label.x, y), anchor: .middle, .small)
        }
    }
}

/// The places of labels that each want one of their own along one direction.
enum LabelPlacement {
    /// Places for `wishes` (ascending), at least `gap` apart and inside `range`, that together lie
    /// as near to the wishes as can be (least squares, by pooling neighbours that collide); where
    /// the range is too short for the gap, the labels are spread evenly over it.
    static func spread(_ wishes: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double] {
        guard wishes.count > 1 else { return wishes.map { clamp($0, to: range) } }
        let length = range.upperBound - range.lowerBound
        let gap = min(gap, length / Double(wishes.count - 1))
        var pools: [(sum: Double, count: Int)] = []
        for (index, wish) in wishes.enumerated() {
            // Less the room that those before it take, places only have to be in order.
            pools.append((wish - Double(index) * gap, 1))
            while pools.count > 1, mean(pools[pools.count - 2]) >= mean(pools[pools.count - 1]) {
                let last = pools.removeLast()
                pools[pools.count - 1].sum += last.sum
                pools[pools.count - 1].count += last.count
            }
        }
        let highest = range.upperBound - Double(wishes.count - 1) * gap
        let slack = range.lowerBound...max(range.lowerBound, highest)
        let ordered = pools.flatMap { pool in
            [Double](repeating: clamp(mean(pool), to: slack), count: pool.count)
        }
        return ordered.enumerated().map { $1 + Double($0) * gap }
    }

    private static func mean(_ pool: (sum: Double, count: Int)) -> Double {
        pool.sum / Double(pool.count)
    }

    private static func clamp(_ value: Double, to range: ClosedRange<Double>) -> Double {
        min(max(value, range.lowerBound), range.upperBound)
    }
}

/// The labels of moments above a plot: beside their line, in as many lanes as they need, so that no
/// label touches another and no line, which reaches up to its label, crosses one.
struct MomentLabels {
    /// More labels above each other would be read as a list; the rest are tooltips only.
    private static let laneLimit = 3

    /// A place for each moment, in their order; `nil` for one that finds no room.
    let places: [(lane: Int, label: MomentLabel)?]

    /// Places labels of lines at `x`, ascending, that lie from 0 to `width`.
    init(_ labels: [(x: Double, text: String)], width: Double) {
        let labels = labels.map { MomentLabel($0.text, besideLine: $0.x, width: width) }
        // Of two that overlap, the one whose line the other's label spans goes first, and lower.
        let order =
            labels.indices.reversed().filter { labels[$0].anchor == .start }
            + labels.indices.filter { labels[$0].anchor == .end }
        var lanes: [Int: Int] = [:]
        for index in order {
            lanes[index] = (0..<Self.laneLimit).first { lane in
                lanes.allSatisfy { labels[index].fits(lane, beside: labels[$0], in: $1) }
            }
        }
        places = labels.indices.map { index in lanes[index].map { ($0, labels[index]) } }
    }

    var count: Int { places.compactMap { $0?.lane }.max().map { $0 + 1 } ?? 0 }
}

/// A label and the line that it belongs to.
struct MomentLabel: Hashable {
    let text: String
    /// The end of the text at the line, of which it is right, or left where the plot ends.
    let x: Double
    let anchor: TextAnchor
    private let line: Double
    private let extent: ClosedRange<Double>

    init(_ text: String, besideLine line: Double, width: Double) {
        let distance = 4.0
        let fits = line + distance + TextStyle.small.width(text) <= width
        let isRight = fits || line < width / 2
        self.text = TextStyle.small.elided(text, to: (isRight ? width - line : line) - distance)
        let length = TextStyle.small.width(self.text)
        x = isRight ? line + distance : line - distance
        anchor = isRight ? .start : .end
        extent = isRight ? x...(x + length) : (x - length)...x
        self.line = line
    }

    /// Whether it can go to `lane` while `other` is in `taken`.
    func fits(_ lane: Int, beside other: MomentLabel, in taken: Int) -> Bool {
        if lane == taken {
            return extent.upperBound + 10 <= other.extent.lowerBound
                || other.extent.upperBound + 10 <= extent.lowerBound
        }
        return lane < taken ? !extent.contains(other.line) : !other.extent.contains(line)
    }
}

/// Samples of marks with their words, in rows that fill a width.
struct Legend {
    /// Words, and the mark that they stand for, of which the left end of the middle is given.
    typealias Entry = (text: String, sample: (Point) -> [Mark])

    let entries: [Entry]
    /// The width of a sample with the space behind it, and the space between entries.
    let sample: Double
    let gap: Double
    var row = 19.0
    /// The height of a legend of one row.
    let height: Double
    var style = TextStyle.label

    func drawing(below edge: Edge) -> Drawing {
        let rows = rows(edge.width)
        let marks = rows.enumerated().flatMap { index, entries in
            let y = edge.y + 8 + Double(index) * row
            return entries.flatMap { x, entry in
                let base = Point(edge.x + x + sample, y + (style == .small ? 4 : 4.5))
                return entry.sample(Point(edge.x + x, y)) + [.text(entry.text, at: base, style)]
            }
        }
        return (marks, edge.below(entries.isEmpty ? 0 : height + Double(rows.count - 1) * row))
    }

    /// The entries of each row, with their distances from the left.
    private func rows(_ width: Double) -> [[(x: Double, entry: Entry)]] {
        var rows: [[(x: Double, entry: Entry)]] = [[]]
        var x = 0.0
        for entry in entries {
            let needed = sample + style.width(entry.text)
            if x > 0, x + needed > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append((x, entry))
            x += needed + gap
        }
        return rows
    }
}
