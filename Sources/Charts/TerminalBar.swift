package import Statistics

/// Summaries as bars of text on one shared axis: p5, median and p95 of each.
///
/// ```
/// ┣━━━●━━━━━┫
///     ┣━━━━━━━●━━━━━━━━━┫
/// ┣━━━●━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶
/// 0        20        40        60 ms
/// ```
package struct TerminalBar: Hashable, Sendable {
    /// The characters of a bar: box drawing, or those of ASCII for terminals without.
    package enum Glyphs: Hashable, Sendable {
        case boxDrawing, ascii
    }

    /// A bar for each summary, in their order, each exactly the width asked for; `▶` in the last
    /// cell where p95 lies beyond the timeout; blank without queries.
    package let rows: [String]
    /// The line of tick labels with the unit, at most the width asked for.
    package let axis: String
    /// What the marks stand for: `p5 ┣ ● ┫ p95`.
    package let key: String

    /// Draws `summaries` into `width` cells; below eight cells there is nothing to draw.
    package init(summaries: [LatencySummary], width: Int, glyphs: Glyphs = .boxDrawing) {
        let pen = Pen(glyphs)
        key = "p5 \(pen.start) \(pen.median) \(pen.end) p95"
        guard width >= 8 else {
            rows = summaries.map { _ in String(repeating: " ", count: max(width, 0)) }
            axis = ""
            return
        }
        let scale = Axis.durations(
            summaries.plotted,
            typical: summaries.compactMap(\.median),
            tickCount: max(2, width / 8)
        )
        let unit = scale.scale == .linear ? " ms" : " ms log"
        let lane = TerminalLane(axis: scale, cells: max(2, width - unit.count), width: width)
        rows = summaries.map { lane.bar($0, pen: pen) }
        axis = lane.labels(unit: unit)
    }
}

/// The characters that a bar is drawn with.
private struct Pen {
    let start: Character
    let line: Character
    let median: Character
    let end: Character
    let beyond: Character

    init(_ glyphs: TerminalBar.Glyphs) {
        let characters: [Character] =
            switch glyphs {
            case .boxDrawing: ["┣", "━", "●", "┫", "▶"]
            case .ascii: ["|", "-", "o", "|", ">"]
            }
        (start, line, median, end, beyond) = (
            characters[0], characters[1], characters[2], characters[3], characters[4]
        )
    }
}

extension TerminalLane {
    fileprivate func bar(_ summary: LatencySummary, pen: Pen) -> String {
        var line = [Character](repeating: " ", count: width)
        guard summary.count > 0 else { return String(line) }
        let last = summary.p95.map(cell) ?? width - 1
        let first = (summary.p5 ?? summary.median).map(cell) ?? last
        for index in min(first, last)...last {
            line[index] = pen.line
        }
        line[min(first, last)] = pen.start
        line[last] = summary.p95 == nil ? pen.beyond : pen.end
        if let median = summary.median {
            line[cell(median)] = pen.median
        }
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
