public import Statistics

/// How far a run has come: what the live view shows of it.
public struct LiveProgress: Hashable, Sendable {
    /// One resolver so far.
    public struct Resolver: Hashable, Sendable {
        public var name: String
        public var answered: Int
        /// Queries without an answer that could be used.
        public var lost: Int
        public var latency: LatencySummary
        /// Whether it is what the machine uses now.
        public var isInUse: Bool

        public init(
            name: String,
            answered: Int,
            lost: Int,
            latency: LatencySummary,
            isInUse: Bool = false
        ) {
            self.name = name
            self.answered = answered
            self.lost = lost
            self.latency = latency
            self.isInUse = isInUse
        }
    }

    /// In the order in which they are shown.
    public var resolvers: [Resolver]
    /// Queries that came to their end, and all that are planned.
    public var done: Int
    public var planned: Int
    /// The round under way, and all of them; 0 while caches are warmed.
    public var round: Int
    public var rounds: Int
    /// Whether the run may end before the last of the rounds.
    public var isOpenEnded = false
    public var remaining: Duration?
    /// What is said below the resolvers, line by line, in place of how far the run has come.
    public var status: [String] = []

    public init(
        resolvers: [Resolver],
        done: Int,
        planned: Int,
        round: Int,
        rounds: Int,
        remaining: Duration? = nil
    ) {
        self.resolvers = resolvers
        self.done = done
        self.planned = planned
        self.round = round
        self.rounds = rounds
        self.remaining = remaining
    }
}
