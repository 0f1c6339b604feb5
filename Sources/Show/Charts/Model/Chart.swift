package enum ChartKind: String, CaseIterable, Hashable, Sendable {
    /// Median, p25 to p75 and p5 to p95, one row per resolver.
    case bars
    /// The share of queries answered within a time, one line per resolver.
    case distribution
    /// The query time of the slowest queries by their share, one line per resolver. Both axes are
    /// logarithmic.
    case percentiles
    /// Query time by round, one panel per name. The x axis is time if the chart has a window.
    case rounds
    /// The parts of the time to the first answer of a connection, one row per resolver and transport.
    case opening
    /// Median, p25 to p75, p5 to p95 and losses over time, one panel per resolver.
    case timeline
    /// The density of the query times over time, one panel per resolver. The colour of the median shows the
    /// loss.
    case smoke
    /// The median by hour of day and weekday, one panel per resolver.
    case heatmap
    /// The median, one row per place and one column per resolver.
    case places
    /// The median over time, one line per resolver; for HTML pages.
    case trend

    /// The charts for every kind of query that appear on a sheet of all charts.
    package static let ofQueries: [ChartKind] = [.bars, .distribution, .rounds]
    /// The charts that a single run supports.
    package static let ofRun = ofQueries + [.percentiles, .opening]
    package static let overTime: [ChartKind] = [.timeline, .smoke, .heatmap]

    var heading: String {
        switch self {
        case .bars: "Query time"
        case .distribution: "Share of queries answered within a time"
        case .percentiles: "Query time of the slowest queries"
        case .rounds: "Query time, round by round"
        case .opening: "Time to the first answer of a connection, by part"
        case .timeline: "Query time over time"
        case .smoke: "Density of query times over time"
        case .heatmap: "Query time by hour of day and weekday"
        case .places: "Query time by place"
        case .trend: "Median by hour"
        }
    }
}

/// One chart as a value: its kind, and its resolvers in drawing order.
package struct Chart: Sendable {
    /// The maximum number of bins in a window. More bins are joined before drawing.
    package static let columnLimit = 420

    package var kind: ChartKind
    package var subjects: [ChartSubject]
    /// The kind of names queried, such as `cached names`. Used if a sheet has charts for several kinds.
    package var scope: String
    /// The window of a chart over time. Empty for other charts.
    package var scale: TimeScale
    /// The index of the only subject drawn over time. The axes and colours still cover all `subjects`.
    package var focus: Int?

    package init(
        _ kind: ChartKind,
        of subjects: [ChartSubject],
        scope: String = "",
        over scale: TimeScale = TimeScale(window: 0..<0),
        focus: Int? = nil
    ) {
        self.kind = kind
        self.subjects = subjects
        self.scope = scope
        self.scale = scale
        self.focus = focus
    }

    /// One copy of the chart per resolver, for separate files. All copies have the same axes and colours.
    package var single: [Chart] {
        subjects.indices.map { Chart(kind, of: subjects, scope: scope, over: scale, focus: $0) }
    }

    var heading: String {
        scope.isEmpty || kind == .opening ? kind.heading : "\(kind.heading): \(scope)"
    }

    var panel: any Panel {
        switch kind {
        case .bars: BarsPanel(subjects: subjects)
        case .distribution: GroupedPanel(self) ?? DistributionPanel(subjects: subjects)
        case .percentiles: GroupedPanel(self) ?? PercentilesPanel(subjects: subjects)
        case .rounds: GroupedPanel(self) ?? RoundsPanel(subjects: subjects, over: scale)
        case .opening: ConnectionSetupPanel(subjects: subjects)
        case .timeline: TimelinePanel(self)
        case .smoke: SmokePanel(self)
        case .heatmap: HeatmapPanel(self)
        case .places: PlacesPanel(self)
        case .trend: TrendPanel(self)
        }
    }

    /// The resolvers drawn in a chart over time, with their indices and styles. If there are too many, the
    /// resolver in use and the recommended resolver come first.
    var drawn: [(subject: ChartSubject, index: Int, style: SeriesStyle)] {
        let styles = SeriesStyle.assigned(to: subjects)
        return shown.compactMap { index in
            // With `focus`, only one resolver is drawn, so its style may repeat the style of another.
            let own = focus == nil ? nil : SeriesStyle(index: index % SeriesStyle.limit)
            return (styles[index] ?? own).map { (subjects[index], index, $0) }
        }
    }

    /// The indices of the resolvers whose figures are described, whether drawn or not.
    private var shown: [Int] { subjects.indices.filter { focus == nil || focus == $0 } }

    var omission: [String] { FigureText.omission(shown.count - drawn.count) }

    var sentences: [String] {
        shown.map { index in
            let subject = subjects[index]
            let note = subject.role.note.map { " (\($0))" } ?? ""
            if kind == .opening, let opening = subject.opening {
                return "\(subject.openingLabel)\(note): \(opening.sentence(subject.summary))."
            }
            let asked = scope.isEmpty ? "" : ", \(scope)"
            let moments = scale.visible(subject.marks).map { $0.detail ?? $0.label }
            let figures = [FigureText.sentence(subject.summary)] + moments
            return "\(subject.label)\(asked)\(note): \(figures.joined(separator: "; "))."
        }
    }
}
