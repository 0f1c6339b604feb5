import Statistics

/// A row a resolver: median, middle half and p5 to p95 on one axis, and the figures beside them.
struct BarsPanel: Panel {
    private static let row = 26.0
    private static let header = 20.0
    private static let footer = 38.0

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
        return Self.header + Double(subjects.count) * Self.row + Self.footer
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !subjects.isEmpty else { return [] }
        let columns = Columns(
            lost: frame.right - noteWidth,
            p95: frame.right - noteWidth - 72,
            median: frame.right - noteWidth - 156
        )
        let left = frame.x + labelWidth + 12
        let room = Rect(
            x: left,
            y: frame.y + Self.header,
            width: columns.median - 78 - left,
            height: Double(subjects.count) * Self.row
        )
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
        return bands(in: frame, above: room) + plot.uprights() + [title]
            + columns.headers(y: frame.y + 12)
            + subjects.indices.map { row($0, plot: plot, columns: columns, left: frame.x) }
    }

    /// Pale bands behind the resolvers that a reader looks for first.
    private func bands(in frame: Rect, above room: Rect) -> [Mark] {
        subjects.indices.filter { subjects[$0].role != .other }.map { index in
            .rect(
                Rect(
                    x: frame.x - 8,
                    y: room.y + Double(index) * Self.row,
                    width: frame.width + 16,
                    height: Self.row
                ),
                .band
            )
        }
    }

    private func row(_ index: Int, plot: Plot, columns: Columns, left: Double) -> Mark {
        let subject = subjects[index]
        let summary = subject.summary
        let centre = plot.frame.y + (Double(index) + 0.5) * Self.row
        let base = centre + 4.5
        let style: TextStyle = subject.role == .other ? .label : .strong
        let label = TextMetrics.elided(
            subject.label,
            to: labelWidth,
            size: style.size,
            bold: style.isBold
        )
        var marks: [Mark] = [.text(label, at: Point(x: left, y: base), style)]
        marks += SpreadBar(summary: summary, style: styles[index], plot: plot, centre: centre).marks
        marks += columns.figures(summary, places: places, y: base)
        if let note = subject.role.note {
            marks.append(.text(note, at: Point(x: columns.lost + 14, y: base), .label))
        }
        return .group(tooltip: "\(subject.label): \(FigureText.sentence(summary))", marks)
    }
}

/// The right ends of the columns of figures.
private struct Columns {
    let lost: Double
    let p95: Double
    let median: Double

    func headers(y: Double) -> [Mark] {
        [("median", median), ("p95", p95), ("lost", lost)].map { name, x in
            .text(name, at: Point(x: x, y: y), anchor: .end, .small)
        }
    }

    func figures(_ summary: LatencySummary, places: Int, y: Double) -> [Mark] {
        let median = FigureText.quantile(summary.median, of: summary, places: places)
        let p95 = FigureText.quantile(summary.p95, of: summary, places: places)
        let lost = FigureText.share(summary.lost, of: summary.count)
        return [
            .text(median, at: Point(x: self.median, y: y), anchor: .end, .figure),
            .text(p95, at: Point(x: self.p95, y: y), anchor: .end, .figure),
            .text(
                lost,
                at: Point(x: self.lost, y: y),
                anchor: .end,
                summary.lost > 0 ? .loss : .figure
            ),
        ]
    }
}
