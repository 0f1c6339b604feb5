package enum ChartKind: String, CaseIterable, Hashable, Sendable {
    /// Median, middle half and p5 to p95, a row a resolver.
    case bars
    /// The share of queries answered within a time, a line a resolver.
    case distribution
    /// Query time of the slowest queries by their share, both logarithmic, a line a resolver.
    case percentiles
    /// Query time against round, or against time where the chart has a window; a panel a name.
    case rounds
    /// The parts of the time to the first answer of a connection, a row a resolver and transport.
    case opening
    /// Median, middle half, p5 to p95 and losses against time, a panel a resolver.
    case timeline
    /// The density of the times against time, the median coloured by loss, a panel a resolver.
    case smoke
    /// The median by hour of day and weekday, a panel a resolver.
    case heatmap
    /// The median, a row a place and a column a resolver.
    case places
    /// The median against time, a line a resolver; for pages.
    case trend

    /// Those of any queries that a sheet of all has.
    package static let ofQueries: [ChartKind] = [.bars, .distribution, .rounds]
    /// Those that can be drawn of one run.
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

/// One chart, as a value: its kind and the resolvers in the order in which they are drawn.
package struct Chart: Sendable {
    /// More bins than this in a window are joined when they are drawn: there is no need for finer.
    package static let columnLimit = 420

    package var kind: ChartKind
    package var subjects: [ChartSubject]
    /// The names asked for, where a sheet has charts of several such: `cached names`.
    package var scope: String
    /// The window of a chart over time; empty for any other.
    package var scale: TimeScale
    /// The only one of `subjects` to draw over time, with the axes and colours of all.
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

    /// The same chart once for each resolver, for a file each: with the same axes and colours.
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

    /// The resolvers that a chart over time draws, with their places and styles; those in use and
    /// advised come before others where there are too many.
    var drawn: [(subject: ChartSubject, index: Int, style: SeriesStyle)] {
        let styles = SeriesStyle.assigned(to: subjects)
        return shown.compactMap { index in
            // One that is drawn alone cannot be taken for another.
            let own = focus == nil ? nil : SeriesStyle(index: index % SeriesStyle.limit)
            return (styles[index] ?? own).map { (subjects[index], index, $0) }
        }
    }

    /// Those of which the figures are told, drawn or not.
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
