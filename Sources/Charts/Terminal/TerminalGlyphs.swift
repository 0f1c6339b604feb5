/// The characters of charts in a terminal: box drawing, or those of ASCII for terminals without.
package struct TerminalGlyphs: Hashable, Sendable {
    /// The ends, the line and the median of a bar of quantiles.
    let start: Character
    let end: Character
    let line: Character
    let dot: Character
    /// The parts of a first answer, and up to where nothing is known of it.
    let parts: [OpeningPart: Character]
    let silence: Character
    /// A query on a connection that is kept.
    let kept: Character
    /// A bar that goes on to the right.
    let onwards: Character
    /// Nothing, then levels of a cell from the bottom up.
    let levels: [Character]
    /// Shades from the palest.
    let shades: [Character]
    /// One a class of losses.
    let losses: [Character]
    /// A median over time, a cell without measurements, one beyond the axis, and the axis.
    let median: Character
    let gap: Character
    let beyond: Character
    let edge: Character
    /// In front of a bound.
    let upTo: String

    package static let boxDrawing = TerminalGlyphs(
        start: "┣",
        end: "┫",
        line: "━",
        dot: "●",
        parts: [.connect: "░", .handshake: "▒", .query: "█"],
        silence: "·",
        kept: "◆",
        onwards: "▶",
        levels: Array(" ▁▂▃▄▅▆▇█"),
        shades: Array("░▒▓█"),
        losses: Array(" ▁▃▅▇█"),
        median: "━",
        gap: "┆",
        beyond: "▲",
        edge: "│",
        upTo: "≤"
    )

    package static let ascii = TerminalGlyphs(
        start: "|",
        end: "|",
        line: "-",
        dot: "o",
        parts: [.connect: ".", .handshake: "+", .query: "#"],
        silence: "-",
        kept: "o",
        onwards: ">",
        levels: Array(" .:|#"),
        shades: Array(".:+#"),
        losses: Array(" .-+*#"),
        median: "=",
        gap: "/",
        beyond: "^",
        edge: "|",
        upTo: "<="
    )
}
