/// The style of every chart, as CSS: literal colours for light, overridden for dark, since some
/// renderers know neither variables nor media queries. Each rule is bound to the chart's own
/// class, so that an inlined chart leaves the page around it alone.
enum StyleSheet {
    static let text = """
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
        \(colours(of: .light))
        @media screen and (prefers-color-scheme:dark){
        \(colours(of: .dark))
        }
        """

    static func rule(_ style: TextStyle) -> String {
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

    private static func colours(of palette: Palette) -> String {
        var rules = [
            ".dnstempo .ground,.dnstempo .hollow{fill:\(palette.ground.hex)}",
            ".dnstempo .grid{stroke:\(palette.grid.hex)}",
            ".dnstempo .axis{stroke:\(palette.rest.hex)}",
            ".dnstempo .band{fill:\(palette.grid.hex);fill-opacity:0.5}",
            ".dnstempo .c-rest{stroke:\(palette.rest.hex)}",
            ".dnstempo .f-rest{fill:\(palette.rest.hex)}",
        ]
        for style in TextStyle.ofPages {
            let ink = style.isQuiet ? palette.quiet : palette.ink
            rules.append(".dnstempo .\(style.rawValue){fill:\(ink.hex)}")
        }
        for (index, colour) in palette.series.enumerated() {
            rules.append(".dnstempo .c\(index){stroke:\(colour.hex)}")
            rules.append(".dnstempo .f\(index){fill:\(colour.hex)}")
        }
        return rules.joined(separator: "\n")
    }
}
