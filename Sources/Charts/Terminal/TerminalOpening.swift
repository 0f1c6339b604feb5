import Statistics

/// What first answers are made of, as bars of text on one shared axis from zero.
///
/// ```
/// ░░░░░░◆▒▒▒▒▒▒▒██████
/// ░░░░░░░░░░░◆▒▒▒▒▒▒▒▒▒▒▒▒███████▶
/// 0         10        20        30 ms
/// ```
package struct TerminalOpening: Hashable, Sendable {
    /// A bar for each subject, in their order, each exactly the width asked for; `▶` in the last cell
    /// where the answer lies beyond the axis or the timeout.
    package let rows: [String]
    /// The line of tick labels with the unit, at most the width asked for.
    package let axis: String
    /// What the marks stand for.
    package let key: String

    /// Draws `subjects` into `width` cells; below eight cells there is nothing to draw.
    package init(
        _ subjects: [ChartSubject],
        width: Int,
        glyphs: TerminalBar.Glyphs = .boxDrawing
    ) {
        let pen = OpeningPen(glyphs)
        let panel = OpeningPanel(subjects: subjects)
        key = pen.key(hasKept: subjects.contains { $0.opening?.kept != nil })
        guard width >= 8 else {
            rows = subjects.map { _ in String(repeating: " ", count: max(width, 0)) }
            axis = ""
            return
        }
        let unit = " ms"
        let scale = Axis.linear(to: panel.upper, tickCount: max(2, width / 8))
        let lane = TerminalLane(axis: scale, cells: max(2, width - unit.count), width: width)
        rows = subjects.map { lane.opening($0, pen: pen) }
        axis = lane.labels(unit: unit)
    }
}

/// The characters that the parts are drawn with.
private struct OpeningPen {
    let parts: [OpeningPart: Character]
    let kept: Character
    let beyond: Character
    /// Up to where nothing is known.
    let silence: Character

    init(_ glyphs: TerminalBar.Glyphs) {
        switch glyphs {
        case .boxDrawing:
            parts = [.connect: "░", .handshake: "▒", .query: "█"]
            (kept, beyond, silence) = ("◆", "▶", "·")
        case .ascii:
            parts = [.connect: ".", .handshake: "+", .query: "#"]
            (kept, beyond, silence) = ("o", ">", "-")
        }
    }

    func key(hasKept: Bool) -> String {
        let words = OpeningPart.allCases.compactMap { part in
            parts[part].map { "\($0) \(part.rawValue)" }
        }
        return (words + (hasKept ? ["\(kept) query on a kept connection"] : []))
            .joined(separator: ", ")
    }
}

extension TerminalLane {
    fileprivate func opening(_ subject: ChartSubject, pen: OpeningPen) -> String {
        var line = [Character](repeating: " ", count: width)
        guard let opening = subject.opening, subject.summary.count > 0 else { return String(line) }
        var next = 0
        for (part, start, end) in opening.parts(answered: subject.summary.median) {
            guard start <= axis.upper, let glyph = pen.parts[part] else { break }
            // A part has at least a cell, so that it is seen, and the last has what there is.
            guard let end, end <= axis.upper * (1 + 1e-9) else {
                for index in min(next, width - 1)..<width {
                    line[index] = end == nil ? pen.silence : glyph
                }
                line[width - 1] = pen.beyond
                break
            }
            let last = min(max(cell(end), next), width - 1)
            for index in min(next, last)...last { line[index] = glyph }
            next = last + 1
        }
        if let kept = opening.kept?.median, kept <= axis.upper { line[cell(kept)] = pen.kept }
        return String(line)
    }
}
