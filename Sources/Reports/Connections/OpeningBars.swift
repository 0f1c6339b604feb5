import Charts
import Statistics

/// What first answers are made of, as bars of text with the figures beside them.
struct OpeningBars {
    let subjects: [ChartSubject]
    let width: Int

    /// Narrower bars say less than the numbers beside them.
    private static let narrowest = 12
    /// Wider ones are no more exact.
    private static let widest = 80

    /// Header, rows, the axis and the key below the bars; where there is no room for bars, figures
    /// alone.
    var lines: [String] {
        guard !subjects.isEmpty else { return [] }
        let labels = [
            resolvers.limited(to: max(8, width / 5)), ways.limited(to: max(6, width / 4)),
        ]
        let figures = [times("first answer") { $0.summary }, times("kept") { $0.opening?.kept }]
            .compactMap(\.self)
        let room = width - TextColumn.width(of: labels + figures) - TextColumn.gap.count
        guard room >= Self.narrowest else { return fitting(labels, figures) }
        let bars = TerminalBars(openings: subjects, width: min(room, Self.widest))
        var column = TextColumn("", bars.rows)
        column.width = min(room, Self.widest)
        let start = TextColumn.width(of: labels) + TextColumn.gap.count
        let axis = String(repeating: " ", count: start) + bars.axis
        return TextColumn.lines(labels + [column] + figures, colour: false) + [axis.trimmedAtEnd]
            + bars.key.wrapped(to: width - TextColumn.indent.count)
            .map { TextColumn.indent + $0 }
    }

    private func fitting(_ labels: [TextColumn], _ figures: [TextColumn]) -> [String] {
        let choices = [labels + figures, labels + figures.prefix(1), labels]
        let columns =
            choices.first { TextColumn.width(of: $0) <= width }
            ?? [labels[0], labels[1].limited(to: max(1, width - labels[0].width - 4))]
        return TextColumn.lines(columns, colour: false)
    }

    /// The label where a resolver begins, and nothing beneath.
    private var resolvers: TextColumn {
        var last: String?
        let texts = subjects.map { subject in
            let resolver = subject.member?.resolver ?? subject.label
            defer { last = resolver }
            return resolver == last ? "" : resolver
        }
        return TextColumn("resolver", texts)
    }

    private var ways: TextColumn {
        TextColumn(
            "over",
            subjects.map { subject in
                let name = subject.member?.name ?? ""
                let use = subject.opening?.use.map { ", \($0) (\(subject.summary.answered))" }
                return name + (use ?? "")
            }
        )
    }

    private func times(
        _ header: String,
        _ summary: (ChartSubject) -> LatencySummary?
    ) -> TextColumn? {
        let summaries = subjects.map(summary)
        guard summaries.contains(where: { $0 != nil }) else { return nil }
        let format = LatencyFormat(fitting: summaries.compactMap { $0?.median })
        let cells = summaries.map { summary in
            guard let summary, summary.count > 0 else { return "" }
            return summary.median.map(format.cell) ?? LatencyFormat.beyond(summary.timeout)
        }
        return TextColumn(header, cells, alignment: .right)
    }
}
