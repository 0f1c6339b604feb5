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
        let figures = figures(summary)
        let taken =
            TextMetrics.width(figures, size: TextStyle.figure.size) + 20
            + TextMetrics.width(note, size: TextStyle.strong.size, bold: true)
        let label = TextMetrics.elided(
            subject.label,
            to: right - start.x - taken,
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

    private static func figures(_ summary: LatencySummary) -> String {
        guard summary.count > 0 else { return "nothing was measured" }
        let lost = FigureText.share(summary.lost, of: summary.count)
        return "median \(FigureText.quantile(summary.median, of: summary)), "
            + "p95 \(FigureText.quantile(summary.p95, of: summary)), lost \(lost)"
    }
}
