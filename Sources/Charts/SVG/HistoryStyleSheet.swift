/// The style of charts over time: that of every chart, and the colours that only they use.
enum HistoryStyleSheet {
    static let text = """
        \(StyleSheet.text)
        \(TextStyle.ofCells.map(StyleSheet.rule).joined(separator: "\n"))
        .dnstempo .onPale,.dnstempo .onDark{font-variant-numeric:tabular-nums}
        .dnstempo .onPale{fill:#000000}
        .dnstempo .onDark{fill:#ffffff}
        .dnstempo .hatch{fill:none;stroke-width:1;stroke-opacity:0.55}
        .dnstempo .moment{fill:none;stroke-width:1.4;stroke-dasharray:4 2.5}
        .dnstempo .site{stroke-width:2;stroke-dasharray:0.1 4;stroke-linecap:round}
        .dnstempo .gap{fill-opacity:0.14}
        \(heat)
        \(colours(of: .light))
        @media screen and (prefers-color-scheme:dark){
        \(colours(of: .dark))
        }
        """

    /// The cells of a heat map are the same on either ground, as are the figures in them.
    private static var heat: String {
        Palette.heat.enumerated().map { ".dnstempo .h\($0){fill:\($1.hex)}" }
            .joined(separator: "\n")
    }

    private static func colours(of palette: Palette) -> String {
        let losses = palette.losses.enumerated().map { ".dnstempo .l\($0){fill:\($1.hex)}" }
        // Cells that share a side would let the ground shine through between them.
        let smoke = palette.smoke.enumerated().map {
            ".dnstempo .s\($0){fill:\($1.hex);shape-rendering:crispEdges}"
        }
        return
            ([
                ".dnstempo .hatch{stroke:\(palette.rest.hex)}",
                ".dnstempo .moment{stroke:\(palette.ink.hex)}",
                ".dnstempo .gap{fill:\(palette.rest.hex)}",
                ".dnstempo .onLost{fill:\(palette.ground.hex)}",
            ] + losses + smoke).joined(separator: "\n")
    }
}
