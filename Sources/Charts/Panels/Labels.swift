/// Small texts along an axis.
enum TickLabels {
    /// Labels with their middles at `x`, ascending, `gap` apart, but for the last, of which the
    /// `end` is there: those that would touch the one before are left out.
    static func marks(
        _ labels: [(text: String, x: Double)],
        y: Double,
        gap: Double = 4,
        last end: TextAnchor = .middle
    ) -> [Mark] {
        var free = -Double.infinity
        return labels.enumerated().compactMap { index, label in
            let anchor = index == labels.count - 1 ? end : .middle
            let half = anchor == .middle ? TextStyle.small.width(label.text) / 2 : 0
            guard label.x - half > free else { return nil }
            free = label.x + half + gap
            return .text(label.text, at: Point(label.x, y), anchor: anchor, .small)
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
        let labels = labels.map { Label($0.x, $0.text, width: width) }
        // Of two that overlap, the one whose line the other's label spans goes first, and lower.
        let order =
            labels.indices.reversed().filter { labels[$0].isRight }
            + labels.indices.filter { !labels[$0].isRight }
        var lanes = [Int?](repeating: nil, count: labels.count)
        for index in order {
            lanes[index] = (0..<Self.laneLimit).first { lane in
                labels.indices.allSatisfy { other in
                    guard let taken = lanes[other] else { return true }
                    return labels[index].fits(lane, beside: labels[other], taken)
                }
            }
        }
        places = zip(labels, lanes).map { label, lane in
            lane.map { lane in
                Place(
                    lane: lane,
                    text: label.text,
                    x: label.isRight ? label.x + Label.distance : label.x - Label.distance,
                    anchor: label.isRight ? .start : .end
                )
            }
        }
    }

    /// How many lanes are in use.
    var count: Int { places.compactMap { $0?.lane }.max().map { $0 + 1 } ?? 0 }
}

/// A label and the line that it belongs to.
private struct Label {
    static let distance = 4.0

    let x: Double
    let isRight: Bool
    let text: String
    /// Where the text begins and ends.
    private let start: Double
    private let end: Double

    init(_ x: Double, _ text: String, width: Double) {
        let isRight =
            x + Self.distance + TextStyle.small.width(text) <= width || x < width / 2
        let room = (isRight ? width - x : x) - Self.distance
        let short = TextStyle.small.elided(text, to: room)
        let length = TextStyle.small.width(short)
        start = isRight ? x + Self.distance : x - Self.distance - length
        end = start + length
        self.x = x
        self.isRight = isRight
        self.text = short
    }

    /// Whether it can go to `lane` while `other` is in `taken`.
    func fits(_ lane: Int, beside other: Label, _ taken: Int) -> Bool {
        if lane == taken {
            return end + 10 <= other.start || other.end + 10 <= start
        }
        let (lower, higher) = lane < taken ? (self, other) : (other, self)
        return higher.x < lower.start || higher.x > lower.end
    }
}
