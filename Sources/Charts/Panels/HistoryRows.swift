import Statistics

/// What the charts of times over time have in common: a plot a resolver below each other, all on
/// the same axes, with gaps, moments and figures.
struct HistoryRows {
    /// One resolver's row.
    struct Row {
        let subject: TimelineSubject
        let style: SeriesStyle
        let columns: TimeColumns
        let summary: LatencySummary
        let marks: [TimelineMark]
    }

    let rows: [Row]
    let scale: TimeScale
    /// The vertical axis, which covers the resolvers that are not drawn too.
    let durations: Axis
    /// The seconds of a column where bins share one.
    let span: Int64?
    /// The room below each plot, for what the chart puts there.
    let strip: Double

    /// Joins bins into at most `columnLimit` columns; the axis has room for `reach` of most of them.
    init(
        _ chart: HistoryChart,
        columnLimit: Int,
        strip: Double = 0,
        reach: KeyPath<TimeColumns.Column, Double?> = \.p95
    ) {
        let (subjects, scale) = (chart.subjects, chart.scale)
        let span = TimeColumns.span(of: subjects, over: scale, limit: columnLimit)
        let columns = subjects.map { TimeColumns($0, over: scale, span: span) }
        rows = chart.drawn.map { subject, index, style in
            Row(
                subject: subject,
                style: style,
                columns: columns[index],
                summary: subject.summary(of: columns[index].columns.map(\.bin)),
                marks: subject.marks.filter { scale.window.contains($0.moment) }
                    .sorted { $0.moment < $1.moment }
            )
        }
        durations = Self.axis(of: columns, reach: reach, timeouts: subjects.map(\.timeout))
        self.scale = scale
        self.span = span
        self.strip = strip
    }

    /// An axis for what resolvers usually need: a few columns may reach above it, since one bad
    /// hour must not squash months.
    private static func axis(
        of columns: [TimeColumns],
        reach: KeyPath<TimeColumns.Column, Double?>,
        timeouts: [Double]
    ) -> Axis {
        let medians = columns.map { $0.columns.compactMap(\.median).sorted() }
        let slow = columns.map { $0.columns.compactMap { $0[keyPath: reach] }.sorted() }
        let tops = (medians + slow).compactMap { times in
            times.isEmpty ? nil : times[min(times.count - 1, times.count * 95 / 100)]
        }
        let typical = medians.compactMap { $0.isEmpty ? nil : $0[$0.count / 2] }
        let lowest = medians.compactMap(\.first)
        return Axis.durations(
            tops.isEmpty ? timeouts : tops + lowest,
            typical: typical,
            tickCount: 5
        )
    }

    var isEmpty: Bool { rows.allSatisfy { $0.columns.stretches.isEmpty } }

    /// What is to be said of the axes and of what was left out.
    func notes(_ chart: HistoryChart) -> [String] {
        var axes = durations.scale == .logarithmic ? "Logarithmic axis. " : ""
        if let span { axes += "A column is \(TimeColumns.words(span)). " }
        if rows.contains(where: { !$0.columns.gaps.isEmpty }) {
            axes += "Hatched: nothing was measured. "
        }
        if rows.flatMap(\.marks).contains(where: { $0.kind == .site }) {
            axes += "Dotted: from then on another site answers (NSID). "
        }
        return [axes, scale.clockNote ?? "", chart.omission ?? ""].filter { !$0.isEmpty }
    }
}
