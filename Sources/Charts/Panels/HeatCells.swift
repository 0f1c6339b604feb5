import Statistics

/// The cells of one grid, gathered by colour so that the file stays small.
struct HeatCells {
    let scale: HeatScale
    private var areas: [Path]
    private var lost = Path()
    private var hatching = Path()
    private var corners: [Path] = [Path(), Path()]
    private var texts: [Mark] = []

    init(scale: HeatScale) {
        self.scale = scale
        areas = [Path](repeating: Path(), count: Palette.heat.count)
    }

    /// Adds the cell of `bin`; `nil` is one without measurements.
    mutating func add(_ bin: TimeBin?, in cell: Rect) {
        guard let bin else { return hatching.append(.hatching(cell, gap: 7)) }
        let base = Point(x: cell.x + cell.width / 2, y: cell.y + cell.height / 2 + 4)
        guard let median = bin.latency.quantile(0.5) else {
            lost.append(.box(cell))
            return add("lost", at: base, .onLost, within: cell.width)
        }
        let colour = scale.colour(scale.place(median))
        let isDark = Palette.isDark(heat: colour)
        areas[colour].append(.box(cell))
        let figure = Self.figure(median)
        add(figure, at: base, isDark ? .onDark : .onPale, within: cell.width)
        guard bin.loss != .none else { return }
        let leg = 3 + 1.5 * Double(bin.loss.rawValue)
        let corner = Path(
            through: [
                Point(x: cell.right - leg, y: cell.y), Point(x: cell.right, y: cell.y),
                Point(x: cell.right, y: cell.y + leg),
            ],
            closed: true
        )
        corners[isDark ? 1 : 0].append(corner)
    }

    /// Words that are wider than their cell are left out.
    private mutating func add(
        _ text: String,
        at base: Point,
        _ style: TextStyle,
        within width: Double
    ) {
        guard TextMetrics.width(text, size: style.size) <= width else { return }
        texts.append(.text(text, at: base, anchor: .middle, style))
    }

    var marks: [Mark] {
        let filled = areas.enumerated().map { Mark.path($1, .heat($0)) }
        let signs: [Mark] = [
            .path(lost, .loss(.all)), .path(hatching, .hatch),
            .path(corners[0], .corner(onDark: false)), .path(corners[1], .corner(onDark: true)),
        ]
        return (filled + signs).filter { !$0.isEmptyPath } + texts
    }

    /// A time in about four characters.
    private static func figure(_ milliseconds: Double) -> String {
        switch milliseconds {
        case ..<99.95: DecimalText.fixed(milliseconds, places: 1)
        case ..<9999.5: DecimalText.fixed(milliseconds, places: 0)
        default: DecimalText.fixed(milliseconds / 1000, places: 0) + " s"
        }
    }
}

/// The colours of a heat map with the bounds between them.
enum HeatLegend {
    private static let widest = 46.0

    /// The legend below `start`, no wider than `width`.
    static func marks(_ scale: HeatScale, at start: Point, width: Double) -> [Mark] {
        let last = DecimalText.trimmed(scale.bounds.last ?? 0, places: 4) + " ms"
        let room = width - TextMetrics.width(last, size: TextStyle.small.size)
        let swatch = min(widest, room / Double(max(1, scale.count)))
        let areas = (0..<scale.count).map { place in
            Mark.rect(
                Rect(
                    x: start.x + Double(place) * swatch,
                    y: start.y,
                    width: swatch,
                    height: 10
                ),
                .heat(scale.colour(place))
            )
        }
        var bounds: [Mark] = []
        var free = -Double.infinity
        for (index, bound) in scale.bounds.enumerated() {
            let isLast = index == scale.bounds.count - 1
            let text = DecimalText.trimmed(bound, places: 4) + (isLast ? " ms" : "")
            let half = isLast ? 0 : TextMetrics.width(text, size: TextStyle.small.size) / 2
            let x = start.x + Double(index) * swatch
            guard x - half > free else { continue }
            let place = Point(x: x, y: start.y + 22)
            bounds.append(.text(text, at: place, anchor: isLast ? .start : .middle, .small))
            free = x + half + 4
        }
        return areas + bounds
    }
}
