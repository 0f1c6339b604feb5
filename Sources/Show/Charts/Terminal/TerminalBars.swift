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
    /// One bar per resolver, in order, each exactly the requested width. `▶` in the last cell means that the
    /// bar extends beyond the axis or the timeout. A bar without queries is blank.
    package let rows: [String]
    /// The line of tick labels with the unit, at most the requested width.
    package let axis: String
    /// The explanation of the marks: `p5 ┣ ● ┫ p95`.
    package let key: String

    /// Draws the p5, median and p95 of `summaries`. With fewer than eight cells it draws nothing.
    package init(of summaries: [LatencySummary], width: Int) {
        let axis = Axis.durations(
            summaries.plotted,
            typical: summaries.compactMap(\.median),
            tickCount: max(2, width / 8)
        )
        let lane = TerminalLane(axis: axis, width: width)
        rows = summaries.map(lane.bar)
        self.axis = lane.labels
        key = "p5 \(Glyph.start) \(Glyph.dot) \(Glyph.end) p95"
    }

    /// Draws the parts of the first answers of `subjects`, from zero. With fewer than eight cells it draws
    /// nothing.
    package init(openings subjects: [ChartSubject], width: Int) {
        let upper = ConnectionSetupPanel(subjects: subjects).upper
        let axis = Axis.linear(to: upper, tickCount: max(2, width / 8))
        let lane = TerminalLane(axis: axis, width: width)
        rows = subjects.map(lane.opening)
        self.axis = lane.labels
        let parts = ConnectionSetupPart.allCases.compactMap { part in
            Glyph.parts[part].map { "\($0) \(part.rawValue)" }
        }
        let hasKept = subjects.contains { $0.opening?.kept != nil }
        key = (parts + (hasKept ? ["\(Glyph.kept) query on a kept connection"] : []))
            .joined(separator: ", ")
    }
}

/// The cells of a bar: the first `width` cells contain the axis, the other cells the unit and `▶`.
private struct TerminalLane {
    let axis: Axis
    let width: Int

    private var unit: String { axis.isLogarithmic ? " ms log" : " ms" }

    private func cell(_ value: Double) -> Int {
        let cells = max(2, width - unit.count)
        return Int((axis.position(value) * Double(cells - 1)).rounded())
    }

    private var isTooNarrow: Bool { width < 8 }

    private var blank: [Character] { [Character](repeating: " ", count: max(width, 0)) }

    /// Tick labels centred on their cells. Labels that would touch their neighbour are omitted.
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
        for index in first...last { line[index] = Glyph.line }
        line[first] = Glyph.start
        line[last] = summary.p95 == nil ? Glyph.onwards : Glyph.end
        if let median = summary.median { line[cell(median)] = Glyph.dot }
        return String(line)
    }

    func opening(_ subject: ChartSubject) -> String {
        var line = blank
        guard !isTooNarrow, let opening = subject.opening, subject.summary.count > 0 else {
            return String(line)
        }
        var next = 0
        for (part, start, end) in opening.parts(answered: subject.summary.median) {
            guard start <= axis.upper, let glyph = Glyph.parts[part] else { break }
            // Each part covers at least one cell, so that it is visible. The last part gets the remaining
            // cells.
            let first = min(next, width - 1)
            guard let end, end <= axis.upper * (1 + 1e-9) else {
                for index in first..<width { line[index] = end == nil ? Glyph.silence : glyph }
                line[width - 1] = Glyph.onwards
                break
            }
            let last = min(max(cell(end), next), width - 1)
            for index in first...last { line[index] = glyph }
            next = last + 1
        }
        if let kept = opening.kept?.median, kept <= axis.upper { line[cell(kept)] = Glyph.kept }
        return String(line)
    }
}

extension [LatencySummary] {
    /// The quantiles that a bar shows. If there are no quantiles, the timeout, so that an axis exists.
    var plotted: [Double] {
        let quantiles = flatMap { [$0.p5, $0.p25, $0.median, $0.p75, $0.p95].compactMap(\.self) }
        return quantiles.isEmpty ? map(\.timeout) : quantiles
    }
}

/// The characters of charts in a terminal.
enum Glyph {
    /// The ends, the line and the median of a bar of quantiles.
    static let start: Character = "┣"
    static let end: Character = "┫"
    static let line: Character = "━"
    static let dot: Character = "●"
    /// The parts of a first answer, and the sign for the part of unknown duration.
    static let parts: [ConnectionSetupPart: Character] = [
        .connect: "░", .handshake: "▒", .query: "█",
    ]
    static let silence: Character = "·"
    /// A query on a kept-open connection.
    static let kept: Character = "◆"
    /// A bar that continues to the right.
    static let onwards: Character = "▶"
    /// An empty cell, then the levels of a cell from the bottom up.
    static let levels = Array(" ▁▂▃▄▅▆▇█")
    /// Shades from the palest.
    static let shades = Array("░▒▓█")
    /// One character per class of losses.
    static let losses = Array(" ▁▃▅▇█")
    /// A median over time, a cell without measurements, a cell beyond the axis, and the axis.
    static let median: Character = "━"
    static let gap: Character = "┆"
    /// A cell with a time without any answer.
    static let outage: Character = "╳"
    static let beyond: Character = "▲"
    static let edge: Character = "│"
}
