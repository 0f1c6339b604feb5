/// The time to content of one round: by how much sooner one resolver's answer leads to a connection than
/// another's.
///
/// The look-ups use the median, because the path to the resolver is the same for all names. The connections
/// use the mean, because the distance of the answers' addresses differs by name.
package struct ContentRound: Sendable {
    /// The median over the names of baseline − candidate of the look-ups, in milliseconds. A name that both
    /// failed counts as no difference. Infinite if one resolver failed most names; NaN if the middle is
    /// between −∞ and +∞.
    package let lookUp: Double
    /// The mean of baseline − candidate of the connections, in milliseconds, over the names for which both
    /// answers led to an address; 0 without any.
    package let connection: Double
    /// The number of names for which both answers led to an address.
    package let connections: Int
    /// The number of these names without a connection in time, for the baseline and for the candidate.
    package let unconnected: (baseline: Int, candidate: Int)

    /// The time, in milliseconds, after which a client tries the next address (RFC 8305 §5). An address that
    /// accepts no connection counts as this time.
    package static let longestConnection = 250.0

    /// Creates a round from the outcomes of both resolvers and the times to connect, in milliseconds, in the
    /// same order of names; `nil` without a pair of outcomes. A connection is `nil` if the name led to no
    /// address.
    package init?(
        baseline: [QueryOutcome],
        candidate: [QueryOutcome],
        connections: [(baseline: Double?, candidate: Double?)]
    ) {
        let lookUps = zip(baseline, candidate).compactMap { $0.difference(from: $1) }
        guard let median = lookUps.map({ $0.isNaN ? 0 : $0 }).median else { return nil }
        let pairs = connections.compactMap { pair -> (own: Double, other: Double)? in
            guard let own = pair.baseline, let other = pair.candidate else { return nil }
            return (min(own, Self.longestConnection), min(other, Self.longestConnection))
        }
        lookUp = median
        self.connections = pairs.count
        unconnected = (
            pairs.count { $0.own == Self.longestConnection },
            pairs.count { $0.other == Self.longestConnection }
        )
        connection = pairs.map { $0.own - $0.other }.mean ?? 0
    }

    /// The number of milliseconds by which the candidate leads to content sooner.
    package var difference: Double { lookUp + connection }
}

extension PairedRound {
    /// Creates one pair from the time to content of a round. Failures and long tails are excluded here,
    /// because the evidence of the look-ups covers them.
    init(_ round: ContentRound) {
        pairs = [round.difference]
        baselineFailures = FailureCount(failures: 0, queries: 1)
        candidateFailures = FailureCount(failures: 0, queries: 1)
        (differenceSum, differences, day) = (0, 0, nil)
    }
}
