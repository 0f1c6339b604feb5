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
    /// Whether nothing would be drawn.
    var isEmptyPath: Bool {
        if case .path(let path, _) = self { path.isEmpty } else { false }
    }
}

/// Which end of a text its position is.
enum TextAnchor: String, Hashable, Sendable {
    case start, middle, end
}

/// The class of a text: its size in user units, weight and ink.
enum TextStyle: String, CaseIterable, Hashable, Sendable {
    case title, subtitle, heading, label, strong, small, figure, loss
    /// Words inside the cells of a heat map: on a pale one, a dark one, and one of losses.
    case onPale, onDark, onLost

    var size: Double {
        switch self {
        case .title: 21
        case .subtitle, .heading: 14
        case .label, .strong, .figure, .loss: 12.5
        case .small, .onPale, .onDark, .onLost: 11
        }
    }

    var isBold: Bool {
        switch self {
        case .title, .heading, .strong, .loss: true
        case .subtitle, .label, .small, .figure, .onPale, .onDark, .onLost: false
        }
    }

    var isQuiet: Bool { self == .subtitle || self == .small }

    /// Those whose ink is the page's and not a cell's.
    static let ofPages = allCases.filter { !ofCells.contains($0) }
    /// Those that only a heat map has.
    static let ofCells: [TextStyle] = [.onPale, .onDark, .onLost]
}

/// The class of a line or an area.
enum MarkStyle: Hashable, Sendable {
    case ground, grid, axis, band
    /// A stretch without measurements, and hatching for a cell without.
    case gap, hatch
    /// A moment that is pointed at.
    case moment
    /// One from which on another site answered.
    case site
    /// An area in the colour of a class of losses.
    case loss(LossClass)
    /// One of the greys of a density, from the palest; one of the colours of a heat map.
    case smoke(Int), heat(Int)
    /// The sign of losses in a cell of a heat map.
    case corner(onDark: Bool)
    /// A line in the colour and dash pattern of a series; `nil` for the rest, in grey.
    case curve(SeriesStyle?)
    /// A line in the colour of a series, never dashed.
    case solid(SeriesStyle?)
    /// The same, thinner, for lines that jump up and down.
    case trace(SeriesStyle?)
    /// A line in the colour of a series: solid, thin, or a row of dots.
    case stroke(SeriesStyle?), cross(SeriesStyle?), thin(SeriesStyle?), dotted(SeriesStyle?)
    /// An area in the colour of a series: full, pale, or fainter where areas overlap.
    case fill(SeriesStyle?), pale(SeriesStyle?), faint(SeriesStyle?)
    /// A marker: filled, or hollow with the ground inside.
    case marker(SeriesStyle)

    /// The value of the `class` attribute.
    var classes: String {
        switch self {
        case .ground: "ground"
        case .grid: "grid"
        case .axis: "axis"
        case .band: "band"
        case .gap: "gap"
        case .hatch: "hatch"
        case .moment: "moment"
        case .site: "moment site"
        case .loss(let loss): "l\(loss.rawValue)"
        case .smoke(let shade): "s\(shade)"
        case .heat(let step): "h\(step)"
        case .corner(let onDark): onDark ? "onDark" : "onPale"
        case .curve(let style): Self.joined("curve", "c", style) + Self.dash(style)
        case .solid(let style): Self.joined("curve", "c", style)
        case .trace(let style): Self.joined("trace", "c", style) + Self.dash(style)
        case .stroke(let style): Self.joined("stroke", "c", style)
        case .cross(let style): Self.joined("cross", "c", style)
        case .thin(let style): Self.joined("thin", "c", style)
        case .dotted(let style): Self.joined("dotted", "c", style)
        case .fill(let style): Self.joined("", "f", style)
        case .faint(let style): Self.joined("faint", "f", style)
        case .pale(let style): Self.joined("pale", "f", style)
        case .marker(let style):
            style.marker.isHollow
                ? Self.joined("hollow", "c", style) : Self.joined("", "f", style)
        }
    }

    private static func dash(_ style: SeriesStyle?) -> String {
        style.map { " d\($0.dash)" } ?? ""
    }

    private static func joined(_ kind: String, _ letter: String, _ style: SeriesStyle?) -> String {
        let colour = style.map { "\(letter)\($0.colour)" } ?? "\(letter)-rest"
        return kind.isEmpty ? colour : "\(kind) \(colour)"
    }
}
