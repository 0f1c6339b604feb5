package import Catalogue

/// The way to a resolver that was in trouble, as it was found after the round that told of it.
package struct KeptTrace: Hashable, Sendable {
    package var vantage: String
    package var run: String
    /// The number of the round in its run.
    package var round: Int
    package var target: Recording.Target
    /// The reason: the name of a notice's kind, for programs.
    package var kind: String
    /// Since when that is so.
    package var since: Timestamp
    /// When there was reason for it.
    package var time: Timestamp
    /// With a site of at most ``Observation/Extras/longestSite`` octets.
    package private(set) var path: PathTrace
    /// The round trip of a handshake with the resolver's address in the round, where one succeeded.
    package var handshake: Duration?

    // Many parameters: one for each column that a store has for a trace.
    package init(
        vantage: String,
        run: String,
        round: Int,
        target: Recording.Target,
        kind: String,
        since: Timestamp,
        time: Timestamp,
        path: PathTrace,
        handshake: Duration? = nil
    ) {
        (self.vantage, self.run, self.round, self.target) = (vantage, run, round, target)
        (self.kind, self.since, self.time) = (kind, since, time)
        (self.path, self.handshake) = (path, handshake)
        self.path.site = path.site?.cut(toOctets: Observation.Extras.longestSite)
    }

    /// The network's round trip to the resolver: the handshake's, else that of the last hop where it is
    /// the resolver; `nil` where nobody knows.
    package var networkRTT: Duration? {
        switch path.end {
        case .answered, .closed: handshake ?? path.lastRoundTrip
        case .rejected, .silent, .limit, .unsent: handshake
        }
    }
}

extension Recording.Target {
    /// Whether both are one resolver at one address, whatever carries the queries: the way is the same.
    package func hasWay(of other: Self) -> Bool {
        label == other.label
            && (address.map { $0 == other.address } ?? (endpoint == other.endpoint))
    }
}
