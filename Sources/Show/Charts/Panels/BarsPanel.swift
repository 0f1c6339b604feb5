import Statistics

/// One row per resolver: median, p25 to p75 and p5 to p95 on one axis, with the figures next to them.
struct BarsPanel: Panel {
    private let subjects: [ChartSubject]
    private let styles: [SeriesStyle?]
    private let places: Int
    private let labelWidth: Double
    private let noteWidth: Double

    init(subjects: [ChartSubject]) {
        self.subjects = subjects
        styles = SeriesStyle.assigned(to: subjects)
        places = FigureText.places(fitting: subjects.map(\.summary.median))
        let widest = subjects.map { TextStyle.strong.width($0.label) }.max()
        labelWidth = min(max(widest ?? 0, 60), 240) + 4
        noteWidth =
            subjects.compactMap(\.role.note).map { TextStyle.label.width($0) + 14 }.max() ?? 0
    }

    var nothing: String? { subjects.isEmpty ? "No resolvers to show." : nil }

    var notes: [String] {
        let marks = "Dot: median. Box: p25 to p75. Line: p5 to p95."
        let isCut = subjects.contains { $0.summary.count > 0 && $0.summary.p95 == nil }
        return [isCut ? marks + " Dots with an arrow: \(FigureText.beyond)." : marks]
            + FigureText.stops(subjects)
    }

    func drawing(below edge: Edge) -> Drawing {
        let end = edge.right - (edge.isNarrow ? 0 : noteWidth)
        let rows = BarRows(
            below: edge,
            header: 20,
            heights: subjects.map { _ in edge.isNarrow ? 44 : 26 },
            inset: 12,
            label: (0, labelWidth),
            columns: edge.isNarrow
                ? ([end - 134, end - 62, end], 62) : ([end - 156, end - 72, end], 78)
        )
        let axis = Axis.durations(
            subjects.map(\.summary).plotted,
            typical: subjects.compactMap(\.summary.median),
            tickCount: Int(rows.room.width / 64)
        )
        let plot = Plot(frame: rows.room, horizontal: axis)
        let headers = ["median", "p95", "failed"].map { (text: $0, style: TextStyle.small) }
        let marks =
            bands(below: edge, rows) + plot.uprights() + [plot.title(axis.durationTitle)]
            + rows.cells(headers, y: edge.y + 12)
            + subjects.indices.map { row($0, plot: plot, rows) }
        return (marks, rows.end)
    }

    /// Pale bands behind the resolvers of most interest to the reader.
    private func bands(below edge: Edge, _ rows: BarRows) -> [Mark] {
        subjects.indices.filter { subjects[$0].role != .other }.map { index in
            let top = rows.tops[index] - edge.y
            let height = rows.tops[index + 1] - rows.tops[index]
            return .rect(edge.room(top: top, left: -8, right: -8, height: height), .band)
        }
    }

    private func row(_ index: Int, plot: Plot, _ rows: BarRows) -> Mark {
        let subject = subjects[index]
        let summary = subject.summary
        let top = rows.tops[index]
        let (centre, base) = rows.isNarrow ? (top + 31, top + 16) : (top + 13, top + 17.5)
        let label = rows.label(subject.label, of: subject.role, y: base)
        let bar = SpreadBar(summary: summary, style: styles[index], plot: plot, y: centre)
        let quantiles = [summary.median, summary.p95].map {
            FigureText.quantile($0, of: summary, places: places)
        }
        let failed = FigureText.share(summary.failed, of: summary.count)
        let figures =
            quantiles.map { (text: $0, style: TextStyle.figure) }
            + [(failed, summary.failed > 0 ? .loss : .figure)]
        let note = subject.role.note.flatMap {
            self.note($0, behind: label.width, rows, y: base)
        }
        let texts = rows.cells(figures, y: base) + [note].compactMap(\.self)
        let isPale = subject.stopped != nil
        return .group(tooltip: subject.tooltip, isPale: isPale, [label.mark] + bar.marks + texts)
    }

    /// The role of a resolver: after the figures, or after its label if there is room.
    private func note(_ text: String, behind label: Double, _ rows: BarRows, y: Double) -> Mark? {
        guard rows.isNarrow else {
            return .text(text, at: Point((rows.columns.last ?? 0) + 14, y), .label)
        }
        guard label + 8 + TextStyle.small.width(text) <= rows.labelWidth else { return nil }
        return .text(text, at: Point(rows.left + label + 8, y), .small)
    }
}

/// The marks of one row: a line from p5 to p95, a box from p25 to p75, and a dot at the median. Dashes and an
/// arrow at the right end show values beyond the timeout.
struct SpreadBar {
    let summary: LatencySummary
    let style: SeriesStyle?
    let plot: Plot
    let y: Double

    var marks: [Mark] {
        guard summary.count > 0 else { return [] }
        guard let first = summary.p5 ?? summary.p25 ?? summary.median else {
            let place = Point(plot.frame.right - 14, y + 4)
            let words = summary.answered == 0 ? "no usable answer" : "few answers in time"
            return [.text(words, at: place, anchor: .end, .small), plot.arrow(y: y, style)]
        }
        return whisker(from: first) + box + dot
    }

    private func whisker(from first: Double) -> [Mark] {
        let known = [summary.p95, summary.p75, summary.median, summary.p25].compactMap(\.self)
        let (start, end) = (plot.x(first), plot.x(known.max() ?? first))
        let body = Mark.level(y, from: start, to: end, .stroke(style))
        guard summary.p95 == nil else { return [body, cap(at: start), cap(at: end)] }
        return [body, plot.dots(from: end, y: y, style), cap(at: start), plot.arrow(y: y, style)]
    }

    private func cap(at x: Double) -> Mark { .upright(x, from: y - 4, to: y + 4, .stroke(style)) }

    private var box: [Mark] {
        guard let p25 = summary.p25 else { return [] }
        let left = plot.x(p25)
        let right = summary.p75.map(plot.x) ?? plot.frame.right - 7
        let outline = Rect(x: left, y: y - 6, width: max(right - left, 1), height: 12)
        return [
            .rect(outline, .ground), .rect(outline, .pale(style)),
            .level(y, from: left, to: outline.right, .thin(style)),
        ]
    }

    private var dot: [Mark] {
        summary.median.map { [.disc(centre: Point(plot.x($0), y), radius: 4.5, .fill(style))] }
            ?? []
    }
}
