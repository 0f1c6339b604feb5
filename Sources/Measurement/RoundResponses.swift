/// Which resolvers responded in one round.
public struct RoundResponses: Hashable, Sendable {
    /// What came of a round's queries to one resolver.
    public struct Resolver: Hashable, Sendable {
        public var target: Recording.Target
        /// Queries that left.
        public var sent: Int
        /// Those of them to which something came back that belongs to the query, whatever it says.
        public var responses: Int
        /// Whether one of them may be anybody's, since no certificate was verified.
        public var isUnverified: Bool

        public init(
            target: Recording.Target,
            sent: Int,
            responses: Int,
            isUnverified: Bool = false
        ) {
            self.target = target
            self.sent = sent
            self.responses = responses
            self.isUnverified = isUnverified
        }
    }

    public var started: Timestamp
    public var marks: RoundMarks
    public var resolvers: [Resolver]

    public init(started: Timestamp, marks: RoundMarks, resolvers: [Resolver]) {
        self.started = started
        self.marks = marks
        self.resolvers = resolvers
    }
}
