import Statistics

/// A row a resolver and transport: what the time to the first answer of a connection is made of, and
/// how long a query takes on a connection that is kept.
///
/// A boundary between two parts is the median of the moment at which the one ends, over all queries:
/// unlike the medians of the parts alone, these add up to the median of the whole, and unlike means
/// they do not follow a few retransmissions.
struct OpeningPanel: Panel {
    private let rows: [(subject: ChartSubject, opening: Opening)]
    private let lines: [OpeningLayout.Line]
    private let places: Int
    private let labelWidth: Double

    init(subjects: [ChartSubject]) {
        let rows = subjects.compactMap { subject in
            subject.opening.map { (subject: subject, opening: $0) }
        }
        self.rows = rows
        lines = Self.lines(of: rows.map(\.subject))
        places = rows.contains { ($0.subject.summary.median ?? 1) < 1 } ? 2 : 1
        let widest = rows.map { TextMetrics.width(Self.label($0), size: 12.5, bold: true) }.max()
        labelWidth = min(max(widest ?? 0, 40), 200) + 4
    }

    /// The rows below the names of their resolvers.
    private static func lines(of subjects: [ChartSubject]) -> [OpeningLayout.Line] {
        var lines: [OpeningLayout.Line] = []
        var last: String?
        for (index, subject) in subjects.enumerated() {
            let resolver = subject.member?.resolver ?? subject.label
            if resolver != last || index == 0 {
                let same = subjects.filter { ($0.member?.resolver ?? $0.label) == resolver }
                let marked = same.first { $0.role != .other }
                let note = marked?.role.note.map { note in
                    same.count > 1 ? "\(note), over \(marked?.member?.name ?? "")" : note
                }
                lines.append(.resolver(resolver, note: note))
                last = resolver
            }
            lines.append(.row(index))
        }
        return lines
    }

    private static func label(_ row: (subject: ChartSubject, opening: Opening)) -> String {
        let name = row.subject.member?.name ?? row.subject.label
        guard let use = row.opening.use else { return name }
        return "\(name), \(use) (\(row.subject.summary.answered))"
    }

    var heading: String { "What the first answer of a connection is made of" }

    var notes: [String] {
        guard !rows.isEmpty else { return ["No first queries of encrypted connections to show."] }
        let uses = Set(rows.compactMap(\.opening.use))
        let words = Self.uses.filter { uses.contains($0.name) }.map { "\($0.name): \($0.words)" }
        let explained =
            words.isEmpty ? "" : words.joined(separator: "; ") + ". In brackets: how many answers."
        return [reading, explained, cut].filter { !$0.isEmpty }
    }

    private var reading: String {
        let isStepwise = rows.contains { $0.opening.secured != nil }
        let moments =
            isStepwise
            ? "Each part ends at a median: of when the connection stood, the handshake was over, the "
                + "answer was there; medians of the parts alone would not add up. "
            : "Each bar ends at the median. "
        let united = rows.contains { $0.opening.secured != nil && $0.opening.connected == nil }
        return moments + "Lost queries count as later than all others."
            + (united ? " Over QUIC, connecting is part of the handshake." : "")
    }

    private static let uses: [(name: String, words: String)] = [
        ("new", "a whole handshake"), ("resumed", "with the ticket of an earlier session"),
        ("early", "the query was sent before the handshake was over (0-RTT)"),
        ("reused", "on a connection that stood already"),
    ]

    private var cut: String {
        let limit = upper
        let all = rows.flatMap { [$0.subject.summary.median, $0.opening.kept?.median] }
        let isLong = all.contains { $0.map { $0 > limit } ?? false }
        let isSilent = rows.contains {
            $0.subject.summary.count > 0 && $0.subject.summary.median == nil
        }
        switch (isLong, isSilent) {
        case (false, false): return ""
        case (true, false): return "An arrow: it goes beyond the axis."
        case (false, true): return "Dots with an arrow: beyond the timeout."
        case (true, true):
            return "An arrow: it goes beyond the axis; with dots, beyond the timeout."
        }
    }

    /// Parts have lengths only on an axis from zero, so one slow resolver may have to go beyond it.
    var upper: Double {
        let times = rows.flatMap { [$0.subject.summary.median, $0.opening.kept?.median] }
            .compactMap(\.self).filter(\.isFinite)
        let firsts = rows.compactMap(\.subject.summary.median).filter(\.isFinite).sorted()
        guard let middle = firsts.isEmpty ? nil : firsts[firsts.count / 2] else {
            return rows.map(\.subject.summary.timeout).filter(\.isFinite).max() ?? 1
        }
        return times.filter { $0 <= 10 * middle }.max() ?? middle
    }

    private var legend: OpeningLegend {
        let shown = Set(
            rows.flatMap { row in
                row.opening.parts(answered: row.subject.summary.median).map(\.part)
            }
        )
        return OpeningLegend(parts: OpeningPart.allCases.filter(shown.contains), hasKept: hasKept)
    }

    private var hasKept: Bool { rows.contains { $0.opening.kept != nil } }

    func height(width: Double) -> Double {
        guard !rows.isEmpty else { return 0 }
        return legend.height(width: width) + OpeningLayout.height(lines, width: width)
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !rows.isEmpty else { return [] }
        let legendHeight = legend.height(width: frame.width)
        let below = Rect(
            x: frame.x,
            y: frame.y + legendHeight,
            width: frame.width,
            height: frame.height - legendHeight
        )
        let layout = OpeningLayout(below, lines: lines, labelWidth: labelWidth, hasKept: hasKept)
        let axis = Axis.linear(to: upper, tickCount: Int(layout.room.width / 64))
        let plot = Plot(
            frame: layout.room,
            horizontal: axis,
            vertical: .linear(to: 1, tickCount: 1)
        )
        let title = Mark.text(
            "time since the connection was begun (ms)",
            at: Point(x: layout.room.x, y: layout.room.bottom + 32),
            .small
        )
        return legend.marks(at: Point(x: frame.x, y: frame.y), width: frame.width)
            + plot.uprights() + [title] + headers(layout)
            + lines.indices.flatMap { line($0, plot: plot, layout, from: frame.x) }
    }

    private func headers(_ layout: OpeningLayout) -> [Mark] {
        let columns = [("first answer", layout.first)] + (hasKept ? [("kept", layout.kept)] : [])
        return columns.map { name, x in
            .text(name, at: Point(x: x, y: layout.headerLevel), anchor: .end, .small)
        }
    }

    private func line(
        _ index: Int,
        plot: Plot,
        _ layout: OpeningLayout,
        from left: Double
    ) -> [Mark] {
        switch lines[index] {
        case .resolver(let name, let note):
            let style = TextStyle.strong
            let whole = layout.kept - left
            let words = TextMetrics.elided(
                note.map { " – \($0)" } ?? "",
                to: whole * 0.6,
                size: style.size,
                bold: style.isBold
            )
            let room = whole - TextMetrics.width(words, size: style.size, bold: style.isBold)
            let text = TextMetrics.elided(name, to: room, size: style.size, bold: true) + words
            return [.text(text, at: Point(x: left, y: layout.titleBase(ofLine: index)), style)]
        case .row(let place): return [row(rows[place], at: index, plot: plot, layout)]
        }
    }

    private func row(
        _ row: (subject: ChartSubject, opening: Opening),
        at index: Int,
        plot: Plot,
        _ layout: OpeningLayout
    ) -> Mark {
        let (centre, base) = layout.levels(ofLine: index)
        let style: TextStyle = row.subject.role == .other ? .label : .strong
        let label = TextMetrics.elided(
            Self.label(row),
            to: layout.labelWidth,
            size: style.size,
            bold: style.isBold
        )
        let summaries =
            [(row.subject.summary, layout.first)]
            + (row.opening.kept.map { [($0, layout.kept)] } ?? [])
        let figures = summaries.map { summary, x in
            let text = FigureText.quantile(summary.median, of: summary, places: places)
            return Mark.text(text, at: Point(x: x, y: base), anchor: .end, .figure)
        }
        let bar = OpeningBar(
            subject: row.subject,
            opening: row.opening,
            plot: plot,
            centre: centre
        )
        let words = row.opening.sentence(row.subject.summary)
        return .group(
            tooltip: "\(row.subject.openingLabel): \(words)",
            [.text(label, at: Point(x: layout.left, y: base), style)] + figures + bar.marks
        )
    }
}
