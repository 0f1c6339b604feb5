extension [Mark] {
    /// Small texts along an axis, centred at `x`, in ascending order. A text that would touch the previous
    /// text is omitted.
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

/// Computes positions along one axis for labels with preferred positions.
enum LabelPlacement {
    /// Positions for `wishes` (ascending), at least `gap` apart and inside `range`. They minimise the squared
    /// distance to the wishes, by pooling neighbours that collide. If the range is too short for the gap, the
    /// labels are spread evenly.
    static func spread(_ wishes: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double] {
        guard wishes.count > 1 else { return wishes.map { clamp($0, to: range) } }
        let length = range.upperBound - range.lowerBound
        let gap = min(gap, length / Double(wishes.count - 1))
        var pools: [(sum: Double, count: Int)] = []
        for (index, wish) in wishes.enumerated() {
            // After subtracting the gaps of the previous labels, positions only have to be in order.
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

/// The labels of moments above a plot, next to their lines. They use as many lanes as required. No label
/// touches another label. No line, which reaches up to its label, crosses a label.
struct MomentLabels {
    /// The maximum number of lanes. More stacked labels would look like a list; the other labels appear only
    /// as tooltips.
    private static let laneLimit = 3

    /// The place of each moment's label, in the order of the moments. `nil` if there is no room.
    let places: [(lane: Int, label: MomentLabel)?]

    /// Places the labels of lines at `x` (ascending, from 0 to `width`).
    init(_ labels: [(x: Double, text: String)], width: Double) {
        let labels = labels.map { MomentLabel($0.text, besideLine: $0.x, width: width) }
        // Of two overlapping labels, one spans the other label's line. The other label is placed first, and
        // lower.
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

/// A label and its line.
struct MomentLabel: Hashable {
    let text: String
    /// The position of the line, where the text ends or begins. The text is to the right of the line, or to
    /// the left near the end of the plot.
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

    /// Whether the label fits into `lane` while `other` occupies the lane `taken`.
    func fits(_ lane: Int, beside other: MomentLabel, in taken: Int) -> Bool {
        if lane == taken {
            return extent.upperBound + 10 <= other.extent.lowerBound
                || other.extent.upperBound + 10 <= extent.lowerBound
        }
        return lane < taken ? !extent.contains(other.line) : !other.extent.contains(line)
    }
}

/// Sample marks with their explanations, in rows that fill a width.
struct Legend {
    /// An explanation and its mark. `sample` receives the left end of the mark's middle line.
    typealias Entry = (text: String, sample: (Point) -> [Mark])

    let entries: [Entry]
    /// The width of a sample including the space after it, and the space between entries.
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
