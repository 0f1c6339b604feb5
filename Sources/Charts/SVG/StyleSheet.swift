/// The style of charts, as CSS: literal colours for light, overridden for dark, since some
/// renderers know neither variables nor media queries. Each rule is bound to the chart's own
/// class, so that an inlined chart leaves the page around it alone.
enum StyleSheet {
    /// The style of charts without an axis of time.
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

    /// The style of all charts: that of the others, and the rules that only charts over time use.
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
