/// Which resolvers responded in one round.
package struct RoundResponses: Hashable, Sendable {
    /// What came of a round's queries to one resolver.
    package struct Resolver: Hashable, Sendable {
        package var target: Recording.Target
        /// Queries that left.
        package var sent: Int
        /// Those of them to which something came back that belongs to the query, whatever it says.
        package var responses: Int
        /// Whether one of them may be anybody's, since no certificate was verified.
        package var isUnverified: Bool

        package init(
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

    package var started: Timestamp
    package var marks: RoundMarks
    package var resolvers: [Resolver]

    package init(started: Timestamp, marks: RoundMarks, resolvers: [Resolver]) {
        self.started = started
        self.marks = marks
        self.resolvers = resolvers
    }
}
