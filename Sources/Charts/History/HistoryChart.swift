/// What a chart over time shows of the resolvers.
package enum HistoryChartKind: String, CaseIterable, Hashable, Sendable {
    /// Median, middle half, p5 to p95 and losses against time, a panel a resolver.
    case timeline
    /// The density of the times against time, the median coloured by loss, a panel a resolver.
    case smoke
    /// The median by hour of day and weekday, a panel a resolver.
    case heatmap
}

/// One chart over time, as a value: its kind, its window, and the resolvers in the order in which
/// they are drawn.
package struct HistoryChart: Hashable, Sendable {
    /// More bins than this in a window are joined when they are drawn: there is no need for finer.
    package static let columnLimit = 420

    package var kind: HistoryChartKind
    package var subjects: [TimelineSubject]
    package var scale: TimeScale
    /// The only one of `subjects` that is drawn, on the axes and with the colours of all; `nil`
    /// draws them all.
    package var focus: Int?

    package init(
        _ kind: HistoryChartKind,
        of subjects: [TimelineSubject],
        over scale: TimeScale,
        focus: Int? = nil
    ) {
        self.kind = kind
        self.subjects = subjects
        self.scale = scale
        self.focus = focus
    }

    /// The same chart once for each resolver, for a file each: with the same axes and colours.
    package var single: [HistoryChart] {
        subjects.indices.map { HistoryChart(kind, of: subjects, over: scale, focus: $0) }
    }
}

extension HistoryChart {
    /// The layout of the chart.
    var panel: any Panel {
        switch kind {
        case .timeline: TimelinePanel(self)
        case .smoke: SmokePanel(self)
        case .heatmap: HeatmapPanel(self)
        }
    }

    /// The resolvers that are drawn, with their places and styles; those in use and advised come
    /// before others where there are too many.
    var drawn: [(subject: TimelineSubject, index: Int, style: SeriesStyle)] {
        let styles = SeriesStyle.assigned(to: subjects.map(\.role))
        return subjects.indices.compactMap { index in
            guard focus == nil || focus == index else { return nil }
            return styles[index].map { (subjects[index], index, $0) }
        }
    }

    /// What is left out of the drawing, in words.
    var omission: String? {
        let count = (focus == nil ? subjects.count : 1) - drawn.count
        return count > 0 ? "\(count) more resolvers are not drawn." : nil
    }

    /// The figures in words, for those who cannot see the marks.
    var descriptions: [String] {
        subjects.indices.filter { focus == nil || focus == $0 }.map { index in
            let subject = subjects[index]
            let bins = subject.bins.filter(scale.shows)
            let summary = subject.summary(of: bins)
            let note = subject.role.note.map { " (\($0))" } ?? ""
            let marks = subject.marks.filter { scale.window.contains($0.moment) }.map {
                $0.detail ?? $0.label
            }
            let figures = ([FigureText.sentence(summary)] + marks).joined(separator: "; ")
            return "\(subject.label)\(note): \(figures)."
        }
    }
}
