/// The bars of the classes of losses, each with its words, in rows that fill a width.
enum LossLegend {
    private static let row = 18.0
    private static let gap = 20.0

    /// How thick the median of a class is drawn.
    static func thickness(_ loss: LossClass) -> Double {
        loss == .none ? 2 : 2.5 + Double(loss.rawValue) * 0.7
    }

    static func height(width: Double) -> Double {
        22 + Double(rows(width).count - 1) * row
    }

    /// The legend, the middle of whose first row is at `start`.
    static func marks(at start: Point, width: Double) -> [Mark] {
        rows(width).enumerated().flatMap { index, classes in
            var x = start.x
            let y = start.y + Double(index) * row
            return classes.flatMap { loss in
                let bar = Rect(
                    x: x,
                    y: y - thickness(loss) / 2,
                    width: 18,
                    height: thickness(loss)
                )
                let text = Mark.text(loss.label, at: Point(x: x + 23, y: y + 4), .small)
                x += entry(loss) + gap
                return [.rect(bar, .loss(loss)), text]
            }
        }
    }

    private static func rows(_ width: Double) -> [[LossClass]] {
        var rows: [[LossClass]] = [[]]
        var x = 0.0
        for loss in LossClass.allCases {
            if x > 0, x + entry(loss) > width {
                rows.append([])
                x = 0
            }
            rows[rows.count - 1].append(loss)
            x += entry(loss) + gap
        }
        return rows
    }

    private static func entry(_ loss: LossClass) -> Double {
        23 + TextMetrics.width(loss.label, size: TextStyle.small.size)
    }
}
