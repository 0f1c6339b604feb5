/// What a chart shows of the resolvers.
public enum ChartKind: String, CaseIterable, Hashable, Sendable {
    /// Median, middle half and p5 to p95, a row a resolver.
    case bars
    /// The share of queries answered within a time, a line a resolver.
    case distribution
    /// Query time against round, a panel a name.
    case rounds
}

/// One chart, as a value: its kind and the resolvers in the order in which they are drawn.
public struct Chart: Hashable, Sendable {
    public var kind: ChartKind
    public var subjects: [ChartSubject]

    public init(_ kind: ChartKind, of subjects: [ChartSubject]) {
        self.kind = kind
        self.subjects = subjects
    }

    /// The layout of the chart; a resolver has the same style in every kind.
    var panel: any Panel {
        let styles = SeriesStyle.assigned(to: subjects)
        return switch kind {
        case .bars: BarsPanel(subjects: subjects, styles: styles)
        case .distribution: DistributionPanel(subjects: subjects, styles: styles)
        case .rounds: RoundsPanel(subjects: subjects, styles: styles)
        }
    }
}
