/// The style of charts, as CSS: literal colours for light, overridden for dark, since some
/// renderers know neither variables nor media queries. Each rule is bound to the chart's own
/// class, so that an inlined chart leaves the page around it alone.
enum StyleSheet {
    /// The style of charts without an axis of time or cells.
    static let plain = """
        .dnstempo text{font-family:system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
        \(TextStyle.ofPages.map(rule).joined(separator: "\n"))
        .dnstempo .figure,.dnstempo .loss{font-variant-numeric:tabular-nums}
        .dnstempo path,.dnstempo line{stroke-linejoin:round;stroke-linecap:butt}
        .dnstempo .curve{fill:none;stroke-width:1.6}
        .dnstempo .trace{fill:none;stroke-width:1.1;stroke-linecap:round}
        .dnstempo .stroke{fill:none;stroke-width:2}
        .dnstempo .cross{fill:none;stroke-width:1.4}
        .dnstempo .thin{fill:none;stroke-width:1;stroke-linecap:round}
        .dnstempo .dotted{fill:none;stroke-width:2;stroke-dasharray:2 3}
        .dnstempo .hollow{stroke-width:1.6}
        .dnstempo .faint{fill-opacity:0.16}
        .dnstempo .pale{fill-opacity:0.38}
        .dnstempo .grid,.dnstempo .axis{stroke-width:1}
        \(dashRules)
        \(inBothPalettes(colours))
        """

    /// The style of all charts: that of the others, and the rules that only charts over time and of
    /// places use.
    static let overTime = """
        \(plain)
        \(TextStyle.ofCells.map(rule).joined(separator: "\n"))
        .dnstempo .onPale,.dnstempo .onDark{font-variant-numeric:tabular-nums}
        .dnstempo .onPale{fill:#000000}
        .dnstempo .onDark{fill:#ffffff}
        .dnstempo .hatch{fill:none;stroke-width:1;stroke-opacity:0.55}
        .dnstempo .moment{fill:none;stroke-width:1.4;stroke-dasharray:4 2.5}
        .dnstempo .site{stroke-width:2;stroke-dasharray:0.1 4;stroke-linecap:round}
        .dnstempo .gap{fill-opacity:0.14}
        \(numbered("h", Palette.heat, "fill").joined(separator: "\n"))
        \(inBothPalettes(coloursOverTime))
        """

    private static func rule(_ style: TextStyle) -> String {
        let weight = style.isBold ? ";font-weight:600" : ""
        let size = DecimalText.trimmed(style.size, places: 2)
        return ".dnstempo .\(style.rawValue){font-size:\(size)px\(weight)}"
    }

    private static var dashRules: String {
        SeriesStyle.dashes.enumerated().filter { !$1.isEmpty }.map { index, lengths in
            let pattern = lengths.map { DecimalText.trimmed($0, places: 2) }.joined(separator: " ")
            return ".dnstempo .d\(index){stroke-dasharray:\(pattern)}"
        }.joined(separator: "\n")
    }

    private static func inBothPalettes(_ rules: (Palette) -> [String]) -> String {
        """
        \(rules(.light).joined(separator: "\n"))
        @media screen and (prefers-color-scheme:dark){
        \(rules(.dark).joined(separator: "\n"))
        }
        """
    }

    private static func colours(of palette: Palette) -> [String] {
        let texts = TextStyle.ofPages.map { style in
            let ink = style.isQuiet ? palette.quiet : palette.ink
            return ".dnstempo .\(style.rawValue){fill:\(ink.hex)}"
        }
        let lines = numbered("c", palette.series, "stroke")
        let areas = numbered("f", palette.series, "fill")
        return [
            ".dnstempo .ground,.dnstempo .hollow{fill:\(palette.ground.hex)}",
            ".dnstempo .grid{stroke:\(palette.grid.hex)}",
            ".dnstempo .axis{stroke:\(palette.rest.hex)}",
            ".dnstempo .band{fill:\(palette.grid.hex);fill-opacity:0.5}",
            ".dnstempo .c-rest{stroke:\(palette.rest.hex)}",
            ".dnstempo .f-rest{fill:\(palette.rest.hex)}",
        ] + texts + zip(lines, areas).flatMap { [$0, $1] }
    }

    private static func coloursOverTime(of palette: Palette) -> [String] {
        [
            ".dnstempo .hatch{stroke:\(palette.rest.hex)}",
            ".dnstempo .moment{stroke:\(palette.ink.hex)}",
            ".dnstempo .gap{fill:\(palette.rest.hex)}",
            ".dnstempo .onLost{fill:\(palette.ground.hex)}",
        ] + numbered("l", palette.losses, "fill")
            // Cells that share a side would let the ground shine through between them.
            + numbered("s", palette.smoke, "fill", ";shape-rendering:crispEdges")
    }

    /// A rule a colour, for the classes of a letter and the colour's place.
    private static func numbered(
        _ letter: String,
        _ colours: [Colour],
        _ property: String,
        _ more: String = ""
    ) -> [String] {
        colours.enumerated().map { ".dnstempo .\(letter)\($0){\(property):\($1.hex)\(more)}" }
    }
}

/// A colour of the sRGB space.
struct Colour: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let rgb: UInt32

    init(integerLiteral rgb: UInt32) { self.rgb = rgb }

    /// `#rrggbb`.
    var hex: String {
        let digits = String(rgb, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The colours of a chart on a light or on a dark ground.
struct Palette: Hashable, Sendable {
    let ground: Colour
    let ink: Colour
    let quiet: Colour
    let grid: Colour
    let rest: Colour
    let series: [Colour]
    /// One a class of losses: from the second on, each stands out more than the one before, so
    /// that their order is seen without colour too.
    let losses: [Colour]
    /// The greys of a density, from the palest.
    let smoke: [Colour]

    /// From fast to slow: yellow over green to blue at even steps of the lightness of CIELAB, so
    /// that the order is seen by colour-blind eyes and without colour (the idea of viridis: Smith
    /// and van der Walt 2015).
    static let heat: [Colour] = [
        0xFBF094, 0xE6E58C, 0xD0D984, 0xBACE7D, 0xA5C278, 0x93B57A, 0x7FA97B, 0x6B9D7C,
        0x5B907D, 0x51827C, 0x46747C, 0x3A677B, 0x335978, 0x2E4B74, 0x273E6F, 0x1F316B,
    ]

    /// Okabe and Ito's palette (Color Universal Design, 2008), one of its two blues and without its
    /// yellow; orange is darkened, since as published it stands out 2.2 : 1 from white, not 3 : 1.
    static let light = Palette(
        ground: 0xFFFFFF,
        ink: 0x1C1E21,
        quiet: 0x5B6067,
        grid: 0xE4E6EA,
        rest: 0x8D9299,
        series: [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xB57B00, 0x3A3D42],
        losses: [0x0072B2, 0xB57B00, 0xC4480B, 0xA32A62, 0x641C7E, 0x1C1E21],
        smoke: [0xEBEDF0, 0xDADDE2, 0xC6CAD1, 0xB0B5BD, 0x979DA6, 0x7D838D]
    )

    /// The same hues as published, sky blue for blue, which is the darkest of them.
    static let dark = Palette(
        ground: 0x15171A,
        ink: 0xECEEF1,
        quiet: 0xA6ACB4,
        grid: 0x2C3036,
        rest: 0x70767E,
        series: [0x56B4E9, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0xC9CDD3],
        losses: [0x56B4E9, 0xA8791A, 0xE0702C, 0xF08DB4, 0xE2C0F5, 0xF7F8F9],
        smoke: [0x262B31, 0x353B43, 0x474E57, 0x5C636D, 0x737B86, 0x8D95A0]
    )

    /// Whether light text is to be put on a colour of the heat map.
    static func isDark(heat place: Int) -> Bool { place > 9 }
}
