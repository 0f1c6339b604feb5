/// The share of queries that were answered within a time, a line a resolver. Queries without an
/// answer are part of the whole, so that the line of a lossy resolver ends below 100 %.
struct DistributionPanel: Panel {
    private static let labelGap = 16.0
    private static let left = 50.0
    private static let footer = 38.0
    /// Room between the plot and the labels, for leaders.
    private static func gutter(_ width: Double) -> Double { width < leastWide ? 24 : 40 }

    let lines: [DistributionLine]

    /// What is drawn beside it on the same axis.
    private let others: [DistributionLine]
    private let leastHeight: Double

    /// On the axis of `comparedWith`, where that is more than `subjects`.
    init(
        subjects: [ChartSubject],
        styles: [SeriesStyle?],
        comparedWith: [ChartSubject]? = nil,
        leastHeight: Double = 270
    ) {
        lines = zip(subjects, styles).map(DistributionLine.init)
        others = comparedWith?.map { DistributionLine(subject: $0, style: nil) } ?? []
        self.leastHeight = leastHeight
    }

    var heading: String { "Share of queries answered within a time" }

    var notes: [String] {
        guard !lines.isEmpty else { return ["No resolvers to show."] }
        let reading = "Further left is faster; the shape marks the median."
        let losses = lines.contains { $0.lost > 0 && $0.style != nil }
        let first = losses ? reading + " The bracket up to 100 % is what was lost." : reading
        let rest = lines.count { $0.style == nil }
        return rest == 0 ? [first] : [first, "\(rest) more in grey, without labels."]
    }

    func height(width: Double) -> Double {
        guard !lines.isEmpty else { return 0 }
        let labels = Double(lines.count { $0.style != nil }) * Self.labelGap
        return max(leastHeight, labels + 24) + Self.footer
    }

    func marks(in frame: Rect) -> [Mark] {
        guard !lines.isEmpty else { return [] }
        // Those of plots below each other begin at the same place.
        let labels = (lines.filter { $0.style != nil } + others).map { label(of: $0, in: frame) }
        let widest = labels.map { TextMetrics.width($0, size: 12.5) }.max() ?? 0
        let labelWidth = min(widest + 1, 240, frame.width / 3)
        let right = frame.right - labelWidth - Self.gutter(frame.width) - 18
        let room = Rect(
            x: frame.x + Self.left,
            y: frame.y + 8,
            width: right - frame.x - Self.left,
            height: frame.height - Self.footer - 8
        )
        let plot = Plot(
            frame: room,
            horizontal: timeAxis(tickCount: Int(room.width / 64)),
            vertical: Axis(scale: .linear, lower: 0, upper: 100, ticks: [0, 25, 50, 75, 100])
        )
        let title = Mark.text(
            plot.horizontal.durationTitle,
            at: Point(x: room.x, y: room.bottom + 32),
            .small
        )
        let byImportance = lines.filter { $0.style == nil } + lines.filter { $0.style != nil }
        return plot.uprights() + plot.levels(unit: " %") + [title]
            + byImportance.map { $0.curve(on: plot) }
            + endLabels(plot: plot, labelWidth: labelWidth, in: frame)
    }

    /// Where it is narrow, the losses are told by the brackets alone.
    private func label(of line: DistributionLine, in frame: Rect) -> String {
        frame.width < Self.leastWide ? line.name : line.label
    }

    private func timeAxis(tickCount: Int) -> Axis {
        let compared = lines + others
        let ends = compared.flatMap {
            [$0.rises.first?.lower, $0.rises.last?.upper].compactMap(\.self)
        }
        let timeouts = compared.map(\.timeout)
        return Axis.durations(
            ends.isEmpty ? timeouts : ends,
            typical: compared.compactMap(\.median),
            tickCount: tickCount
        )
    }

    /// Labels right of the line ends, moved apart where they would touch, with a leader each.
    private func endLabels(plot: Plot, labelWidth: Double, in frame: Rect) -> [Mark] {
        let gutter = Self.gutter(frame.width)
        let labelled = lines.filter { $0.style != nil }.sorted { $0.isAbove($1) }
        let wishes = labelled.map { plot.y($0.finalShare) }
        let range = (plot.frame.y + 4)...(plot.frame.bottom - 4)
        let places = LabelPlacement.spread(wishes, gap: Self.labelGap, in: range)
        let lossy = labelled.indices.filter { labelled[$0].lost > 0 }
        return labelled.indices.flatMap { index -> [Mark] in
            let line = labelled[index]
            guard let style = line.style else { return [] }
            let start = Point(x: plot.frame.right + 3, y: wishes[index])
            let end = Point(x: plot.frame.right + gutter - 6, y: places[index])
            let bend = Point(x: end.x - 6, y: end.y)
            let leader = Mark.path(Path(through: [start, bend, end]), .thin(style))
            let centre = Point(x: end.x + 6, y: end.y)
            let marker = style.marker.outline(at: centre, radius: 4)
            let text =
                frame.width < Self.leastWide
                ? TextMetrics.elided(line.name, to: labelWidth, size: TextStyle.label.size)
                : line.label(within: labelWidth)
            let content: [Mark] = [
                leader, .path(marker, .marker(style)),
                .text(text, at: Point(x: centre.x + 9, y: end.y + 4.5), .label),
            ]
            let gap = line.lossGap(on: plot, rank: lossy.firstIndex(of: index) ?? 0)
            return [.group(tooltip: line.tooltip, content + gap)]
        }
    }
}
