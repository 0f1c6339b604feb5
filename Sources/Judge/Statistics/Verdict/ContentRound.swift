/// Time to content of one round: by how much sooner a look-up through one resolver ends in a
/// connection than through another.
///
/// A resolver's way is common to all names, so that the median of the look-ups is enough; how near
/// the answers' addresses are differs by name, and takes the mean.
package struct ContentRound: Sendable {
    /// The median over the names of baseline − candidate of the look-ups, in milliseconds; a name
    /// that both failed counts as no difference. Infinite where one failed most, NaN where the middle
    /// lies between −∞ and +∞.
    package let lookUp: Double
    /// The mean of baseline − candidate of the connections, in milliseconds, over the names that both
    /// led somewhere; 0 without any.
    package let connection: Double
    /// Names that both led somewhere.
    package let connections: Int
    /// Those of them to which the baseline, or the candidate, led no connection in time.
    package let unconnected: (baseline: Int, candidate: Int)

    /// A client tries the next address after so many milliseconds (RFC 8305 §5): where nothing
    /// accepts a connection, it counts as this.
    package static let longestConnection = 250.0

    /// The outcomes of both, and what it took to connect to where they led, in milliseconds, in the
    /// same order of names; `nil` without a pair of outcomes. A connection is missing (`nil`) where
    /// the name led nowhere.
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

    /// Milliseconds by which the candidate leads to content sooner.
    package var difference: Double { lookUp + connection }
}

extension PairedRound {
    /// The time to content of a round as one pair. Failures and long tails are the look-ups' own
    /// evidence, and count for nothing here.
    init(_ round: ContentRound) {
        pairs = [round.difference]
        baselineFailures = FailureCount(failures: 0, queries: 1)
        candidateFailures = FailureCount(failures: 0, queries: 1)
        (differenceSum, differences, day) = (0, 0, nil)
    }
}
