/// One thing that is drawn, as a value.
indirect enum Mark: Hashable, Sendable {
    case line(from: Point, to: Point, MarkStyle)
    case rect(Rect, MarkStyle)
    case disc(centre: Point, radius: Double, MarkStyle)
    case path(Path, MarkStyle)
    case text(String, at: Point, anchor: TextAnchor = .start, TextStyle)
    /// Marks that share a tooltip.
    case group(tooltip: String, [Mark])
}

extension Mark {
    /// A line from left to right.
    static func level(_ y: Double, from left: Double, to right: Double, _ style: MarkStyle) -> Mark
    {
        .line(from: Point(left, y), to: Point(right, y), style)
    }

    /// A line from top to bottom.
    static func upright(_ x: Double, from top: Double, to bottom: Double, _ style: MarkStyle)
        -> Mark
    {
        .line(from: Point(x, top), to: Point(x, bottom), style)
    }
}

extension [Mark] {
    /// Those of `paths` in which there is something to draw.
    static func paths(_ paths: [(Path, MarkStyle)]) -> [Mark] {
        paths.filter { !$0.0.isEmpty }.map { .path($0, $1) }
    }

    /// An area for each class of losses that has one.
    static func losses(_ areas: [LossClass: Path]) -> [Mark] {
        LossClass.allCases.compactMap { loss in areas[loss].map { .path($0, .loss(loss)) } }
    }
}

/// The end of a text that its position is.
enum TextAnchor: String, Hashable, Sendable {
    case start, middle, end
}

/// The class of a line or an area, which the style sheet knows.
struct MarkStyle: Hashable, Sendable {
    /// The value of the `class` attribute.
    let classes: String

    private init(_ classes: String) { self.classes = classes }

    static let ground = Self("ground")
    static let grid = Self("grid")
    static let axis = Self("axis")
    static let band = Self("band")
    /// A stretch without measurements, and hatching for a cell without.
    static let gap = Self("gap")
    static let hatch = Self("hatch")
    /// A moment that is pointed at, and one from which on another site answered.
    static let moment = Self("moment")
    static let site = Self("moment site")

    /// An area in the colour of a class of losses.
    static func loss(_ loss: LossClass) -> Self { Self("l\(loss.rawValue)") }
    /// One of the greys of a density, from the palest; one of the colours of a heat map.
    static func smoke(_ shade: Int) -> Self { Self("s\(shade)") }
    static func heat(_ step: Int) -> Self { Self("h\(step)") }
    /// The sign of losses in a cell of a heat map.
    static func corner(onDark: Bool) -> Self { Self(onDark ? "onDark" : "onPale") }
}

/// The styles of a series; `nil` is one of the rest, in grey.
extension MarkStyle {
    /// A line in the colour and dash pattern of a series.
    static func curve(_ style: SeriesStyle?) -> Self { dashed("curve", style) }
    /// The same, thinner, for lines that jump up and down.
    static func trace(_ style: SeriesStyle?) -> Self { dashed("trace", style) }
    /// A line in the colour of a series, never dashed.
    static func solid(_ style: SeriesStyle?) -> Self { line("curve", style) }
    /// The same, thicker; for crosses; thin; as a row of dots.
    static func stroke(_ style: SeriesStyle?) -> Self { line("stroke", style) }
    static func cross(_ style: SeriesStyle?) -> Self { line("cross", style) }
    static func thin(_ style: SeriesStyle?) -> Self { line("thin", style) }
    static func dotted(_ style: SeriesStyle?) -> Self { line("dotted", style) }
    /// An area in the colour of a series: full, pale, or fainter where areas overlap.
    static func fill(_ style: SeriesStyle?) -> Self { Self(colour("f", style)) }
    static func pale(_ style: SeriesStyle?) -> Self { Self("pale " + colour("f", style)) }
    static func faint(_ style: SeriesStyle?) -> Self { Self("faint " + colour("f", style)) }
    /// A marker: filled, or hollow with the ground inside.
    static func marker(_ style: SeriesStyle) -> Self {
        style.marker.isHollow ? line("hollow", style) : fill(style)
    }

    private static func line(_ kind: String, _ style: SeriesStyle?) -> Self {
        Self("\(kind) \(colour("c", style))")
    }

    private static func dashed(_ kind: String, _ style: SeriesStyle?) -> Self {
        Self(line(kind, style).classes + (style.map { " d\($0.dash)" } ?? ""))
    }

    private static func colour(_ letter: String, _ style: SeriesStyle?) -> String {
        style.map { "\(letter)\($0.colour)" } ?? "\(letter)-rest"
    }
}
