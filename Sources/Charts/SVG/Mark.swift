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

/// Which end of a text its position is.
enum TextAnchor: String, Hashable, Sendable {
    case start, middle, end
}

/// The class of a text: its size in user units, weight and ink.
enum TextStyle: String, CaseIterable, Hashable, Sendable {
    case title, subtitle, heading, label, strong, small, figure, loss

    var size: Double {
        switch self {
        case .title: 21
        case .subtitle, .heading: 14
        case .label, .strong, .figure, .loss: 12.5
        case .small: 11
        }
    }

    var isBold: Bool {
        switch self {
        case .title, .heading, .strong, .loss: true
        case .subtitle, .label, .small, .figure: false
        }
    }

    var isQuiet: Bool { self == .subtitle || self == .small }
}

/// The class of a line or an area.
enum MarkStyle: Hashable, Sendable {
    case ground, grid, axis, band
    /// A line in the colour and dash pattern of a series; `nil` for the rest, in grey.
    case curve(SeriesStyle?)
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
        case .curve(let style): Self.joined("curve", "c", style) + Self.dash(style)
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
