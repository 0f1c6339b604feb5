/// The bars of the classes of losses, each with its words.
enum LossLegend {
    static let height = 22.0

    /// How thick the median of a class is drawn.
    static func thickness(_ loss: LossClass) -> Double {
        loss == .none ? 2 : 2.5 + Double(loss.rawValue) * 0.7
    }

    /// The legend in one line whose middle is at `start`.
    static func marks(at start: Point) -> [Mark] {
        var x = start.x
        return LossClass.allCases.flatMap { loss in
            let bar = Rect(
                x: x,
                y: start.y - thickness(loss) / 2,
                width: 18,
                height: thickness(loss)
            )
            let text = Mark.text(loss.label, at: Point(x: x + 23, y: start.y + 4), .small)
            x += 23 + TextMetrics.width(loss.label, size: TextStyle.small.size) + 20
            return [.rect(bar, .loss(loss)), text]
        }
    }
}
