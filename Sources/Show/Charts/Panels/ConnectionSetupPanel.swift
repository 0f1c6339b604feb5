import Statistics

/// One row per resolver and transport: the parts of the time to the first answer of a connection, and the
/// time of a query on a kept-open connection.
///
/// A boundary between two parts is the median, over all queries, of the moment at which the first part ends.
/// Medians of the separate parts do not add up to the median of the total; these boundaries do. Unlike means,
/// they are robust against a few retransmissions.
struct ConnectionSetupPanel: Panel {
    private typealias Row = (subject: ChartSubject, opening: ConnectionSetup)

    private static let column = 82.0

    private let rows: [Row]
    private let places: Int
    private let labelWidth: Double

    init(subjects: [ChartSubject]) {
        let rows: [Row] = subjects.compactMap { subject in subject.opening.map { (subject, $0) } }
        self.rows = rows
        places = FigureText.places(fitting: rows.map(\.subject.summary.median))
        let widest = rows.map { TextStyle.strong.width(Self.label($0)) }.max()
        labelWidth = min(max(widest ?? 0, 40), 200) + 4
    }

    private static func label(_ row: Row) -> String {
        let (subject, opening) = row
        return opening.use.map { "\(subject.name), \($0) (\(subject.summary.answered))" }
            ?? subject.name
    }

    var nothing: String? {
        rows.isEmpty ? "No first queries of encrypted connections to show." : nil
    }

    var notes: [String] {
        let uses = Set(rows.compactMap(\.opening.use))
        let words = Self.uses.filter { uses.contains($0.name) }.map { "\($0.name): \($0.words)" }
        let explained = words.joined(separator: "; ") + ". In brackets: number of answers."
        return [reading] + (words.isEmpty ? [] : [explained]) + cut
    }

    private static let uses: [(name: String, words: String)] = [
        ("new", "full handshake"), ("resumed", "resumed session (ticket)"),
        ("early", "query sent before the end of the handshake (0-RTT)"),
        ("reused", "connection already open"),
    ]

    private var reading: String {
        let isStepwise = rows.contains { $0.opening.secured != nil }
        let moments =
            isStepwise
            ? "Each part ends at the median time of being connected, secured or answered: medians of "
                + "the parts alone would not add up. "
            : "Each bar ends at the median. "
        let united = rows.contains { $0.opening.secured != nil && $0.opening.connected == nil }
        return moments + "Failed queries count as slower than all others."
            + (united ? " Over QUIC, connecting is part of the handshake." : "")
    }

    private var cut: [String] {
        let limit = upper
        let isLong = medians.contains { $0 > limit }
        let isSilent = rows.map(\.subject.summary).contains { $0.count > 0 && $0.median == nil }
        if isLong {
            let dots = isSilent ? "; with dots: \(FigureText.beyond)" : ""
            return ["Arrow: beyond the axis\(dots)."]
        }
        return isSilent ? ["Dots with an arrow: \(FigureText.beyond)."] : []
    }

    private var medians: [Double] {
        rows.flatMap { [$0.subject.summary.median, $0.opening.kept?.median] }.compactMap(\.self)
    }

    /// The upper end of the axis. The axis starts at zero so that parts have lengths, so a slow resolver may
    /// exceed it.
    var upper: Double {
        let firsts = rows.compactMap(\.subject.summary.median).filter(\.isFinite)
        guard let middle = firsts.middle else {
            return rows.map(\.subject.summary.timeout).filter(\.isFinite).max() ?? 1
        }
        return medians.filter { $0.isFinite && $0 <= 10 * middle }.max() ?? middle
    }

    private var hasKept: Bool { rows.contains { $0.opening.kept != nil } }

    private var legend: Legend {
        let shown = Set(
            rows.flatMap { $0.opening.parts(answered: $0.subject.summary.median).map(\.part) }
        )
        let all = ConnectionSetupPart.allCases
        let parts = all.filter(shown.contains).map { part -> Legend.Entry in
            func sample(_ start: Point) -> [Mark] {
                let box = Rect(x: start.x, y: start.y - 5.5, width: 26, height: 11)
                return ConnectionSetupBar.sample(part, in: box)
            }
            return (part.rawValue, sample)
        }
        let kept: Legend.Entry = (
            "query on a kept connection",
            { ConnectionSetupBar.keptSample(from: $0, to: Point($0.x + 21, $0.y)) }
        )
        return Legend(entries: parts + (hasKept ? [kept] : []), sample: 32, gap: 20, height: 23)
    }

    func drawing(below edge: Edge) -> Drawing {
        let legend = legend.drawing(below: edge)
        let columns = hasKept ? [edge.right - Self.column, edge.right] : [edge.right]
        let groups = rows.chunked { $0.subject.resolver == $1.subject.resolver }
        let layout = BarRows(
            below: legend.end,
            header: 18,
            heights: groups.flatMap { [29.0] + $0.map { _ in edge.isNarrow ? 48 : 31 } },
            inset: 10,
            label: (10, labelWidth),
            columns: (columns, Self.column)
        )
        let axis = Axis.linear(to: upper, tickCount: Int(layout.room.width / 64))
        let plot = Plot(frame: layout.room, horizontal: axis)
        let headers = ["first answer", "kept"].map { (text: $0, style: TextStyle.small) }
        var tops = layout.tops[...]
        let rows = groups.flatMap { group -> [Mark] in
            let heading = heading(
                group[group.startIndex].subject.resolver,
                edge,
                tops.removeFirst()
            )
            return [heading] + group.map { row($0, top: tops.removeFirst(), plot: plot, layout) }
        }
        let title = plot.title("time since the start of the connection (ms)")
        let labels = layout.cells(headers, y: legend.end.y + 11)
        return (legend.marks + plot.uprights() + [title] + labels + rows, layout.end)
    }

    /// The heading above the rows of a resolver: its name and its role.
    private func heading(_ resolver: String, _ edge: Edge, _ top: Double) -> Mark {
        let own = rows.map(\.subject).filter { $0.resolver == resolver }
        let marked = own.first { $0.role != .other }
        let way = own.count > 1 ? ", over \(marked?.member?.name ?? "")" : ""
        let role = marked?.role.note.map { " – \($0)\(way)" } ?? ""
        let note = TextStyle.strong.elided(role, to: edge.width * 0.6)
        let room = edge.width - TextStyle.strong.width(note)
        let name = TextStyle.strong.elided(resolver, to: room)
        return .text(name + note, at: Point(edge.x, top + 21), .strong)
    }

    private func row(_ row: Row, top: Double, plot: Plot, _ layout: BarRows) -> Mark {
        let (subject, opening) = row
        let (centre, base) = layout.isNarrow ? (top + 26, top + 14) : (top + 12, top + 16.5)
        let label = layout.label(Self.label(row), of: subject.role, y: base).mark
        let summaries = [subject.summary] + [opening.kept].compactMap(\.self)
        let figures = summaries.map { summary in
            let text = FigureText.quantile(summary.median, of: summary, places: places)
            return (text: text, style: TextStyle.figure)
        }
        let bar = ConnectionSetupBar(
            summary: subject.summary,
            opening: opening,
            plot: plot,
            y: centre
        )
        return .group(
            tooltip: "\(subject.openingLabel): \(opening.sentence(subject.summary))",
            [label] + layout.cells(figures, y: base) + bar.marks
        )
    }
}

/// The marks of one row: the parts of the first answer, and a query on a kept-open connection.
struct ConnectionSetupBar {
    let summary: LatencySummary
    let opening: ConnectionSetup
    let plot: Plot
    let y: Double

    /// The colours of the parts, identical for all resolvers. Adjacent parts differ in lightness and texture,
    /// so that colour is not needed to distinguish them.
    private static let amber = SeriesStyle(index: 4)
    private static let blue = SeriesStyle(index: 0)
    private static let dark = SeriesStyle(index: 5)

    var marks: [Mark] {
        guard summary.count > 0 else { return [] }
        let parts = opening.parts(answered: summary.median)
        return parts.flatMap { bar($0.part, from: $0.start, to: $0.end) } + kept
    }

    private func bar(_ part: ConnectionSetupPart, from start: Double, to end: Double?) -> [Mark] {
        let upper = plot.horizontal.upper
        guard start <= upper else { return [] }
        let left = plot.x(start)
        let arrow = plot.arrow(y: y, Self.blue)
        // The duration is unknown because the answer exceeds the timeout.
        guard let end else { return [plot.dots(from: left, y: y, Self.blue), arrow] }
        let fits = end <= upper * (1 + 1e-9)
        let right = fits ? plot.x(end) - (part == .query ? 0 : 1) : plot.frame.right - 9
        let box = Rect(x: left, y: y - 5.5, width: max(right - left, 1), height: 11)
        return Self.sample(part, in: box) + (fits ? [] : [arrow])
    }

    /// The appearance of a part, in the chart and in its legend.
    static func sample(_ part: ConnectionSetupPart, in box: Rect) -> [Mark] {
        switch part {
        case .connect: [.rect(box, .fill(nil))]
        case .handshake:
            [.rect(box, .ground), .rect(box, .pale(amber))]
                + [Mark].paths([
                    (.hatching(box, gap: 5), .thin(amber)), (rim(of: box), .thin(amber)),
                ])
        case .query: [.rect(box, .fill(blue))]
        }
    }

    /// A line along the inner side of a rectangle's edge.
    private static func rim(of rect: Rect) -> Path {
        guard rect.width > 1 else { return .box(rect) }
        return .box(
            Rect(x: rect.x + 0.5, y: rect.y + 0.5, width: rect.width - 1, height: rect.height - 1)
        )
    }

    static func keptSample(from start: Point, to end: Point) -> [Mark] {
        let diamond = Marker(shape: .diamond, isHollow: false)
        return [
            .line(from: start, to: end, .stroke(dark)),
            .path(diamond.outline(at: end, radius: 5), .ground),
            .path(diamond.outline(at: end, radius: 4), .fill(dark)),
        ]
    }

    private var kept: [Mark] {
        guard let summary = opening.kept, summary.count > 0 else { return [] }
        let level = y + 11
        guard let median = summary.median, median <= plot.horizontal.upper else {
            let start = plot.frame.x
            return [
                plot.dots(from: start, y: level, Self.dark), plot.arrow(y: level, Self.dark),
            ]
        }
        return Self.keptSample(from: Point(plot.frame.x, level), to: Point(plot.x(median), level))
    }
}
