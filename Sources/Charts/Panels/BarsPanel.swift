import Statistics

/// A row a resolver: median, middle half and p5 to p95 on one axis, and the figures beside them.
struct BarsPanel: Panel {
    let subjects: [ChartSubject]
    let styles: [SeriesStyle?]
    private let places: Int
    private let labelWidth: Double
    private let noteWidth: Double

    init(subjects: [ChartSubject], styles: [SeriesStyle?]) {
        self.subjects = subjects
        self.styles = styles
        // Below a millisecond one decimal would not tell resolvers apart.
        places = subjects.contains { ($0.summary.median ?? 1) < 1 } ? 2 : 1
        let widest = subjects.map { TextMetrics.width($0.label, size: 12.5, bold: true) }.max()
        labelWidth = min(max(widest ?? 0, 60), 240) + 4
        let notes = subjects.compactMap(\.role.note)
        noteWidth = notes.map { TextMetrics.width($0, size: 12.5) + 14 }.max() ?? 0
    }

    var heading: String { "How long an answer takes" }

    var notes: [String] {
        guard !subjects.isEmpty else { return ["No resolvers to show."] }
        let marks = "Dot: median. Box: middle half of the queries. Line: p5 to p95."
        let isCut = subjects.contains { $0.summary.count > 0 && $0.summary.p95 == nil }
        return [isCut ? marks + " Dots with an arrow: beyond the timeout." : marks]
    }

    func height(width: Double) -> Double {
        guard !subjects.isEmpty else { return 0 }
        return BarsLayout.header + Double(subjects.count) * BarsLayout.row(width: width)
            + BarsLayout.footer
    }

    private func layout(in frame: Rect) -> BarsLayout {
        BarsLayout(frame, rows: subjects.count, labelWidth: labelWidth, noteWidth: noteWidth)
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !subjects.isEmpty else { return [] }
        let layout = layout(in: frame)
        let room = layout.room
        let axis = Axis.durations(
            subjects.map(\.summary).plotted,
            typical: subjects.compactMap(\.summary.median),
            tickCount: Int(room.width / 64)
        )
        let plot = Plot(frame: room, horizontal: axis, vertical: .linear(to: 1, tickCount: 1))
        let title = Mark.text(
            axis.durationTitle,
            at: Point(x: room.x, y: room.bottom + 32),
            .small
        )
        return bands(in: frame, layout) + plot.uprights() + [title]
            + layout.columns.headers(y: frame.y + 12)
            + subjects.indices.map { row($0, plot: plot, layout) }
    }

    /// Pale bands behind the resolvers that a reader looks for first.
    private func bands(in frame: Rect, _ layout: BarsLayout) -> [Mark] {
        subjects.indices.filter { subjects[$0].role != .other }.map { index in
            .rect(
                Rect(
                    x: frame.x - 8,
                    y: layout.room.y + Double(index) * layout.row,
                    width: frame.width + 16,
                    height: layout.row
                ),
                .band
            )
        }
    }

    private func row(_ index: Int, plot: Plot, _ layout: BarsLayout) -> Mark {
        let subject = subjects[index]
        let summary = subject.summary
        let (centre, base) = layout.levels(ofRow: index)
        let style: TextStyle = subject.role == .other ? .label : .strong
        let label = TextMetrics.elided(
            subject.label,
            to: layout.labelWidth,
            size: style.size,
            bold: style.isBold
        )
        var marks: [Mark] = [.text(label, at: Point(x: layout.left, y: base), style)]
        marks += SpreadBar(summary: summary, style: styles[index], plot: plot, centre: centre).marks
        marks += layout.columns.figures(summary, places: places, y: base)
        if let note = subject.role.note {
            let width = TextMetrics.width(label, size: style.size, bold: style.isBold)
            marks += layout.note(note, afterLabelOf: width, base: base)
        }
        return .group(tooltip: "\(subject.label): \(FigureText.sentence(summary))", marks)
    }
}
