public import Statistics

/// One resolver of a chart: its label, its summary and the times behind it.
public struct ChartSubject: Hashable, Sendable {
    /// What a chart says of a resolver beside its figures.
    public enum Role: Hashable, Sendable {
        case current, advised, other
    }

    public var label: String
    public var role: Role
    public var summary: LatencySummary
    /// Times of the answers, in milliseconds, in any order.
    public var answers: [Double]
    /// Further answers, of which the times are known within 1 %.
    public var sketch: LatencySketch
    /// Queries without an answer, which no time can be given for.
    public var lost: Int
    /// One series a name, for the chart over rounds.
    public var rounds: [RoundSeries]

    public init(
        label: String,
        role: Role = .other,
        summary: LatencySummary,
        answers: [Double] = [],
        sketch: LatencySketch = LatencySketch(),
        lost: Int = 0,
        rounds: [RoundSeries] = []
    ) {
        self.label = label
        self.role = role
        self.summary = summary
        self.answers = answers
        self.sketch = sketch
        self.lost = lost
        self.rounds = rounds
    }
}

/// One resolver's times for one name, round by round.
public struct RoundSeries: Hashable, Sendable {
    public var name: String
    public var points: [RoundPoint]

    public init(name: String, points: [RoundPoint]) {
        self.name = name
        self.points = points
    }
}

/// One round of a series; `milliseconds` is `nil` where no answer came. A round that is absent
/// from its series was not asked.
public struct RoundPoint: Hashable, Sendable {
    public var round: Int
    public var milliseconds: Double?

    public init(round: Int, milliseconds: Double?) {
        self.round = round
        self.milliseconds = milliseconds
    }
}

extension ChartSubject.Role {
    /// The words beside the resolver, so that its mark needs no colour; `nil` for an ordinary one.
    var note: String? {
        switch self {
        case .current: "you use this now"
        case .advised: "advised"
        case .other: nil
        }
    }
}
