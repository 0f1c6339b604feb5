import Statistics

/// The line above one resolver's plot: its label, what it is to the reader, and its figures.
enum ResolverHeading {
    /// The words that are read out where the mouse rests.
    static func tooltip(_ subject: TimelineSubject, _ summary: LatencySummary) -> String {
        "\(subject.label): \(FigureText.sentence(summary))"
    }

    /// The heading from `start` to `right`; a label too long is elided.
    static func mark(
        _ subject: TimelineSubject,
        _ summary: LatencySummary,
        from start: Point,
        to right: Double
    ) -> Mark {
        let note = subject.role.note.map { " – \($0)" } ?? ""
        let wanted = min(Self.width(subject.label), leastLabel) + Self.width(note)
        func room(_ figures: String) -> Double {
            right - start.x - TextMetrics.width(figures, size: TextStyle.figure.size) - 20
        }
        // Rather fewer figures than a name that nobody can read.
        let choices = figures(summary)
        let figures = choices.first { room($0) >= wanted } ?? choices[choices.count - 1]
        let label = TextMetrics.elided(
            subject.label,
            to: room(figures) - Self.width(note),
            size: TextStyle.strong.size,
            bold: true
        )
        return .group(
            tooltip: tooltip(subject, summary),
            [
                .text(label + note, at: start, .strong),
                .text(figures, at: Point(x: right, y: start.y), anchor: .end, .figure),
            ]
        )
    }

    /// A longer label may be elided to this.
    private static let leastLabel = 135.0

    private static func width(_ text: String) -> Double {
        TextMetrics.width(text, size: TextStyle.strong.size, bold: true)
    }

    /// The most telling first.
    private static func figures(_ summary: LatencySummary) -> [String] {
        guard summary.count > 0 else { return ["nothing was measured"] }
        let median = "median \(FigureText.quantile(summary.median, of: summary))"
        let p95 = "p95 \(FigureText.quantile(summary.p95, of: summary))"
        let lost = "lost \(FigureText.share(summary.lost, of: summary.count))"
        return ["\(median), \(p95), \(lost)", "\(median), \(lost)", median]
    }
}
