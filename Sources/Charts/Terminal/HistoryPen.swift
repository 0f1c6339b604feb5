/// The characters of charts over time.
struct HistoryPen {
    /// Nothing, then levels of a cell from the bottom up.
    let levels: [Character]
    /// From the palest.
    let shades: [Character]
    /// One a class of losses.
    let losses: [Character]
    let median: Character
    let gap: Character
    let beyond: Character
    let edge: Character
    private let upTo: String

    init(_ glyphs: TerminalBar.Glyphs) {
        switch glyphs {
        case .boxDrawing:
            (levels, shades) = (Array(" ▁▂▃▄▅▆▇█"), Array("░▒▓█"))
            (losses, upTo) = (Array(" ▁▃▅▇█"), "≤")
            (median, gap, beyond, edge) = ("━", "┆", "▲", "│")
        case .ascii:
            (levels, shades) = (Array(" .:|#"), Array(".:+#"))
            (losses, upTo) = (Array(" .-+*#"), "<=")
            (median, gap, beyond, edge) = ("=", "/", "^", "|")
        }
    }

    /// What stands for what in a timeline.
    var timelineKey: String { "Bars: median. \(lossKey)" }

    /// What stands for what in a smoke chart.
    var smokeKey: String {
        "\(median) median, \(shades[0]) to \(shades[shades.count - 1]) density. \(lossKey)"
    }

    private var lossKey: String {
        let words = ["\(upTo)1 %", "\(upTo)5 %", "\(upTo)20 %", "more", "all"]
        let classes = zip(losses.dropFirst(), words).map { "\($0) \($1)" }
        return "Lost: \(classes.joined(separator: ", ")). "
            + "\(gap) not measured, \(beyond) beyond the axis"
    }
}
