import Statistics

/// The cells of a grid of medians, grouped by colour to keep the file small.
struct HeatCells {
    private static let styles =
        Palette.heat.indices.map(MarkStyle.heat) + [
            .loss(.all), .hatch, .corner(onDark: false), .corner(onDark: true),
        ]

    let scale: HeatScale
    private var areas: [MarkStyle: Path] = [:]
    private var texts: [Mark] = []

    /// Whether cells with few queries are drawn smaller.
    private let marksFew: Bool

    init(scale: HeatScale, few: FewQueries) {
        self.scale = scale
        marksFew = few == .some
    }

    var marks: [Mark] { .areas(areas, of: Self.styles) + texts }

    /// The content of a cell.
    struct Figure {
        /// The median in milliseconds. `nil` if it exceeds the timeout.
        var median: Double?
        var loss: LossClass
        /// Whether the cell has too few queries for a median.
        var isOfFew: Bool
    }

    /// The cells of a chart with too few queries for a median. If all cells have too few, none is marked.
    enum FewQueries {
        case none, some, all

        /// Counts the cells in `figures`. `nil` is a cell without measurements.
        init(_ figures: [Figure?]) {
            let measured = figures.compactMap(\.self)
            let few = measured.count(where: \.isOfFew)
            self = few == 0 ? .none : few == measured.count ? .all : .some
        }

        static let words = "fewer than \(TimeBin.fewestForMedian) queries"
    }

    /// The legend text for the signs in the cells of `figures`. `nil` is a cell without measurements.
    static func words(_ figures: [Figure?]) -> [String] {
        let isLossy = figures.contains { $0.map { $0.loss != .none } ?? false }
        let few: [String] =
            switch FewQueries(figures) {
            case .none: []
            case .some: ["Small cell: \(FewQueries.words)."]
            case .all: ["Each cell: \(FewQueries.words)."]
            }
        return (isLossy ? ["Corner: failed queries, larger for more."] : []) + few
            + (figures.contains { $0 == nil } ? ["Hatched: not measured."] : [])
    }

    /// Adds a cell. `nil` is a cell without measurements.
    mutating func add(_ figure: Figure?, in whole: Rect) {
        guard let figure else { return add(.hatching(whole, gap: 7), .hatch) }
        let cell = figure.isOfFew && marksFew ? whole.inset(by: 3) : whole
        guard let median = figure.median else {
            add(.box(cell), .loss(.all))
            return add("failed", .onLost, in: whole)
        }
        let colour = scale.colour(scale.place(median))
        let isDark = Palette.isDark(heat: colour)
        add(.box(cell), .heat(colour))
        add(Self.figure(median), isDark ? .onDark : .onPale, in: whole)
        guard figure.loss != .none else { return }
        let leg = 3 + 1.5 * Double(figure.loss.rawValue)
        let corner = [
            Point(cell.right - leg, cell.y), Point(cell.right, cell.y),
            Point(cell.right, cell.y + leg),
        ]
        add(Path(through: corner, closed: true), .corner(onDark: isDark))
    }

    private mutating func add(_ area: Path, _ style: MarkStyle) {
        areas[style, default: Path()].append(area)
    }

    /// Adds a text to the cell, unless the text is wider than the cell.
    private mutating func add(_ text: String, _ style: TextStyle, in cell: Rect) {
        guard style.width(text) <= cell.width else { return }
        let base = Point(cell.x + cell.width / 2, cell.y + cell.height / 2 + 4)
        texts.append(.text(text, at: base, anchor: .middle, style))
    }

    /// A time as text of about four characters.
    private static func figure(_ milliseconds: Double) -> String {
        switch milliseconds {
        case ..<99.95:
            DecimalText.fixed(milliseconds, places: FigureText.places(fitting: [milliseconds]))
        case ..<9999.5: DecimalText.fixed(milliseconds, places: 0)
        default: DecimalText.fixed(milliseconds / 1000, places: 0) + " s"
        }
    }
}

/// Classes of query times for cells, with round bounds that all panels of a chart share. Only classes with
/// times get a colour, so that a few slow hours do not use up the colours.
struct HeatScale: Hashable {
    /// The maximum number of classes that the eye can distinguish.
    private static let limit = 12
    /// The first digits of the bounds of geometric classes, the finest first.
    private static let leading = [
        [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1],
    ]

    /// The classes in milliseconds, in ascending order. Empty without times.
    let classes: [Range<Double>]

    /// Classes for `values`, as fine as the eye can distinguish. A minimum width prevents small differences,
    /// below a tenth of a time, from looking large.
    init(_ values: [Double]) {
        let (least, most) = (Axis.credible.lowerBound, Axis.credible.upperBound)
        let sound = values.filter { $0.isFinite && $0 >= 0 }.map { min(max($0, least), most) }
        guard let low = sound.min(), let high = sound.max() else {
            classes = []
            return
        }
        if high > 3 * low {
            let scales = Self.leading.map { leading in
                Self.occupied(Axis.powers(leading, from: low, to: high), by: sound)
            }
            classes = scales.first { $0.count <= Self.limit } ?? scales[scales.count - 1]
        } else {
            let span = max(high - low, high / 5)
            let step = Axis.roundNumber(atLeast: span / Double(Self.limit))
            let first = (low / step + 1e-9).rounded(.down)
            let bounds = (0...(Self.limit + 1)).map { (first + Double($0)) * step }
            classes = Self.occupied(bounds, by: sound)
        }
    }

    /// The classes between `bounds` that contain any of `values`.
    private static func occupied(_ bounds: [Double], by values: [Double]) -> [Range<Double>] {
        let all = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
        let taken = Set(values.map { value in bounds.dropFirst().dropLast().count { $0 <= value } })
        return all.indices.filter(taken.contains).map { all[$0] }
    }

    /// The index of a time's class. A time outside all classes gets the next lower class.
    func place(_ value: Double) -> Int {
        max(0, classes.count { $0.lowerBound <= value } - 1)
    }

    /// The bounds of a range of adjacent classes as text: `12–15`.
    func text(_ places: ClosedRange<Int>) -> String {
        [classes[places.lowerBound].lowerBound, classes[places.upperBound].upperBound]
            .map { DecimalText.trimmed($0, places: 4) }.joined(separator: "–")
    }

    /// The colours with their times. If `tellsFailed` is true, it includes the colour of medians beyond the
    /// timeout.
    func legend(tellsFailed: Bool) -> Legend {
        var shades = classes.indices.map { place in
            (text: "\(text(place...place)) ms", style: MarkStyle.heat(colour(place)))
        }
        if tellsFailed { shades.append(("failed: over half \(FigureText.beyond)", .loss(.all))) }
        let entries = shades.map { text, style -> Legend.Entry in
            (text, { [.rect(Rect(x: $0.x, y: $0.y - 5, width: 22, height: 10), style)] })
        }
        return Legend(entries: entries, sample: 27, gap: 14, height: 28, style: .small)
    }

    /// The colour of a class, as an index into `Palette.heat`.
    func colour(_ place: Int) -> Int {
        let last = Double(Palette.heat.count - 1)
        guard classes.count > 1 else { return Int(last / 3) }
        return Int((Double(place) / Double(classes.count - 1) * last).rounded())
    }
}
