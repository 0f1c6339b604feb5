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
        let size = TextStyle.small.size
        let isRight =
            x + Self.distance + TextMetrics.width(text, size: size) <= width || x < width / 2
        let room = (isRight ? width - x : x) - Self.distance
        let short = TextMetrics.elided(text, to: room, size: size)
        let length = TextMetrics.width(short, size: size)
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
