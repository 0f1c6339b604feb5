package import Statistics

/// Bars of text on one shared axis.
///
/// ```
/// ┣━━━●━━━━━┫                          ░░░░░░◆▒▒▒▒▒▒▒██████
///     ┣━━━━━━━●━━━━━━━━━┫              ░░░░░░░░░░░◆▒▒▒▒▒▒▒▒▒▒▒▒███████▶
/// ┣━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶
/// 0        20        40        60 ms   0         10        20        30 ms
/// ```
package struct TerminalBars: Hashable, Sendable {
    /// A bar for each resolver, in their order, each exactly the width asked for; `▶` in the last
    /// cell where it goes beyond the axis or the timeout; blank without queries.
    package let rows: [String]
    /// The line of tick labels with the unit, at most the width asked for.
    package let axis: String
    /// The words on the marks: `p5 ┣ ● ┫ p95`.
    package let key: String

    /// The p5, median and p95 of `summaries` in `width` cells; below eight cells there is nothing to
    /// draw.
    package init(
        of summaries: [LatencySummary],
        width: Int,
        glyphs: TerminalGlyphs = .boxDrawing
    ) {
        let axis = Axis.durations(
            summaries.plotted,
            typical: summaries.compactMap(\.median),
            tickCount: max(2, width / 8)
        )
        let lane = TerminalLane(axis: axis, width: width, glyphs: glyphs)
        rows = summaries.map(lane.bar)
        self.axis = lane.labels
        key = "p5 \(glyphs.start) \(glyphs.dot) \(glyphs.end) p95"
    }

    /// The parts of the first answers of `subjects`, from zero on, likewise.
    package init(
        openings subjects: [ChartSubject],
        width: Int,
        glyphs: TerminalGlyphs = .boxDrawing
    ) {
        let upper = OpeningPanel(subjects: subjects).upper
        let axis = Axis.linear(to: upper, tickCount: max(2, width / 8))
        let lane = TerminalLane(axis: axis, width: width, glyphs: glyphs)
        rows = subjects.map(lane.opening)
        self.axis = lane.labels
        let parts = OpeningPart.allCases.compactMap { part in
            glyphs.parts[part].map { "\($0) \(part.rawValue)" }
        }
        let hasKept = subjects.contains { $0.opening?.kept != nil }
        key = (parts + (hasKept ? ["\(glyphs.kept) query on a kept connection"] : []))
            .joined(separator: ", ")
    }
}

/// The cells of a bar: the first of `width` carry the axis, the rest the unit and `▶`.
private struct TerminalLane {
    let axis: Axis
    let width: Int
    let glyphs: TerminalGlyphs

    private var unit: String { axis.isLogarithmic ? " ms log" : " ms" }

    private func cell(_ value: Double) -> Int {
        let cells = max(2, width - unit.count)
        return Int((axis.position(value) * Double(cells - 1)).rounded())
    }

    private var isTooNarrow: Bool { width < 8 }

    private var blank: [Character] { [Character](repeating: " ", count: max(width, 0)) }

    /// Tick labels centred on their cells; those that would touch their neighbour are left out.
    var labels: String {
        guard !isTooNarrow else { return "" }
        var line = blank
        var free = width
        for (index, tick) in axis.ticks.reversed().enumerated() {
            let number = axis.label(tick)
            let label = index == 0 ? number + unit : number
            let centred = cell(tick) - (index == 0 ? number.count - 1 : number.count / 2)
            let start = max(0, min(centred, width - label.count))
            guard start + label.count < free || index == 0 else { continue }
            for (offset, character) in label.enumerated() where start + offset < width {
                line[start + offset] = character
            }
            free = start
        }
        let used = line.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0
        return String(line[..<used])
    }

    func bar(_ summary: LatencySummary) -> String {
        var line = blank
        guard !isTooNarrow, summary.count > 0 else { return String(line) }
        let last = summary.p95.map(cell) ?? width - 1
        let first = min((summary.p5 ?? summary.median).map(cell) ?? last, last)
        for index in first...last { line[index] = glyphs.line }
        line[first] = glyphs.start
        line[last] = summary.p95 == nil ? glyphs.onwards : glyphs.end
        if let median = summary.median { line[cell(median)] = glyphs.dot }
        return String(line)
    }

    /// The parts of a first answer, one after the other.
    func opening(_ subject: ChartSubject) -> String {
        var line = blank
        guard !isTooNarrow, let opening = subject.opening, subject.summary.count > 0 else {
            return String(line)
        }
        var next = 0
        for (part, start, end) in opening.parts(answered: subject.summary.median) {
            guard start <= axis.upper, let glyph = glyphs.parts[part] else { break }
            // A part has at least a cell, so that it is seen, and the last has what there is.
            let first = min(next, width - 1)
            guard let end, end <= axis.upper * (1 + 1e-9) else {
                for index in first..<width { line[index] = end == nil ? glyphs.silence : glyph }
                line[width - 1] = glyphs.onwards
                break
            }
            let last = min(max(cell(end), next), width - 1)
            for index in first...last { line[index] = glyph }
            next = last + 1
        }
        if let kept = opening.kept?.median, kept <= axis.upper { line[cell(kept)] = glyphs.kept }
        return String(line)
    }
}

extension [LatencySummary] {
    /// The quantiles that a bar shows; the timeout where there are none, so that an axis exists.
    var plotted: [Double] {
        let quantiles = flatMap { [$0.p5, $0.p25, $0.median, $0.p75, $0.p95].compactMap(\.self) }
        return quantiles.isEmpty ? map(\.timeout) : quantiles
    }
}

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
