/// The style of charts as CSS. Literal colours for light are overridden for dark, because some renderers
/// support neither variables nor media queries. Each rule is limited to the chart's own class, so that an
/// inlined chart does not affect the page around it.
enum StyleSheet {
    /// The style of charts without a time axis and without cells.
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

    /// The style of all charts: the plain style, and the rules only for charts over time and charts of
    /// places.
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
        .dnstempo .outage{fill-opacity:0.3}
        .dnstempo .outage-lines{fill:none;stroke-width:1.2}
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
            return ".dnstempo .\(style.rawValue){fill:\(ink)}"
        }
        let lines = numbered("c", palette.series, "stroke")
        let areas = numbered("f", palette.series, "fill")
        return [
            ".dnstempo .ground,.dnstempo .hollow{fill:\(palette.ground)}",
            ".dnstempo .grid{stroke:\(palette.grid)}",
            ".dnstempo .axis{stroke:\(palette.rest)}",
            ".dnstempo .band{fill:\(palette.grid);fill-opacity:0.5}",
            ".dnstempo .c-rest{stroke:\(palette.rest)}",
            ".dnstempo .f-rest{fill:\(palette.rest)}",
        ] + texts + zip(lines, areas).flatMap { [$0, $1] }
    }

    private static func coloursOverTime(of palette: Palette) -> [String] {
        [
            ".dnstempo .hatch{stroke:\(palette.rest)}",
            ".dnstempo .moment{stroke:\(palette.ink)}",
            ".dnstempo .gap{fill:\(palette.rest)}",
            ".dnstempo .outage{fill:\(palette.losses[palette.losses.count - 1])}",
            ".dnstempo .outage-lines{stroke:\(palette.losses[palette.losses.count - 1])}",
            ".dnstempo .onLost{fill:\(palette.ground)}",
        ] + numbered("l", palette.losses, "fill")
            // Without crisp edges, the background would show between adjacent cells.
            + numbered("s", palette.smoke, "fill", ";shape-rendering:crispEdges")
    }

    /// One rule per colour, for classes named by a letter and the colour's index.
    private static func numbered(
        _ letter: String,
        _ colours: [String],
        _ property: String,
        _ more: String = ""
    ) -> [String] {
        colours.enumerated().map { ".dnstempo .\(letter)\($0){\(property):\($1)\(more)}" }
    }
}

/// The colours of a chart on a light or dark background, in sRGB as `#rrggbb`.
struct Palette: Hashable, Sendable {
    let ground: String
    let ink: String
    let quiet: String
    let grid: String
    let rest: String
    let series: [String]
    /// One colour per class of losses. From the second on, each has more contrast than the previous colour,
    /// so that the order is visible without colour vision.
    let losses: [String]
    /// The greys of a density, from the palest.
    let smoke: [String]

    /// From fast to slow: yellow through green to blue, at even steps of CIELAB lightness. Colour-blind
    /// readers see the order too, and it is visible without colour (the idea of viridis: Smith and van der
    /// Walt 2015).
    static let heat: [String] = [
        "#fbf094", "#e6e58c", "#d0d984", "#bace7d", "#a5c278", "#93b57a", "#7fa97b", "#6b9d7c",
        "#5b907d", "#51827c", "#46747c", "#3a677b", "#335978", "#2e4b74", "#273e6f", "#1f316b",
    ]

    /// Okabe and Ito's palette (Color Universal Design, 2008) with one of its two blues and without its
    /// yellow. Orange is darkened: as published, its contrast with white is 2.2 : 1 instead of 3 : 1.
    static let light = Palette(
        ground: "#ffffff",
        ink: "#1c1e21",
        quiet: "#5b6067",
        grid: "#e4e6ea",
        rest: "#8d9299",
        series: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b57b00", "#3a3d42"],
        losses: ["#0072b2", "#b57b00", "#c4480b", "#a32a62", "#641c7e", "#1c1e21"],
        smoke: ["#ebedf0", "#dadde2", "#c6cad1", "#b0b5bd", "#979da6", "#7d838d"]
    )

    /// The same hues as published. Sky blue replaces blue, the darkest colour.
    static let dark = Palette(
        ground: "#15171a",
        ink: "#eceef1",
        quiet: "#a6acb4",
        grid: "#2c3036",
        rest: "#70767e",
        series: ["#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#c9cdd3"],
        losses: ["#56b4e9", "#a8791a", "#e0702c", "#f08db4", "#e2c0f5", "#f7f8f9"],
        smoke: ["#262b31", "#353b43", "#474e57", "#5c636d", "#737b86", "#8d95a0"]
    )

    /// Whether a colour of the heat map requires light text.
    static func isDark(heat place: Int) -> Bool { place > 9 }
}
