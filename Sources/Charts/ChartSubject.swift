public import Statistics

/// One resolver of a chart: its label, its summary and the times behind it.
public struct ChartSubject: Hashable, Sendable {
    /// What a chart says of a resolver beside its figures.
    public enum Role: Hashable, Sendable {
        case current, advised, other
    }

    /// One of several ways in which a resolver was asked.
    public struct Member: Hashable, Sendable {
        public var resolver: String
        /// What tells it from the resolver's others, such as `tls`.
        public var name: String
        /// Its place among all such ways, which is the same in whatever resolver; it has the style.
        public var place: Int

        public init(resolver: String, name: String, place: Int) {
            self.resolver = resolver
            self.name = name
            self.place = place
        }
    }

    public var label: String
    /// Where resolvers were asked in several ways each.
    public var member: Member?
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
    /// Where these are first queries of connections.
    public var opening: Opening?

    public init(
        label: String,
        member: Member? = nil,
        role: Role = .other,
        summary: LatencySummary,
        answers: [Double] = [],
        sketch: LatencySketch = LatencySketch(),
        lost: Int = 0,
        rounds: [RoundSeries] = [],
        opening: Opening? = nil
    ) {
        self.label = label
        self.member = member
        self.role = role
        self.summary = summary
        self.answers = answers
        self.sketch = sketch
        self.lost = lost
        self.rounds = rounds
        self.opening = opening
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
