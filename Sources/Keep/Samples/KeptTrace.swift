package import Catalogue

/// The path to a resolver with a problem, traced after the round that revealed the problem.
package struct KeptTrace: Hashable, Sendable {
    package var vantage: String
    package var run: String
    /// The number of the round within its run.
    package var round: Int
    package var target: Recording.Target
    /// The reason: the name of the notice's kind, for programs.
    package var kind: String
    /// The time since which the problem exists.
    package var since: Timestamp
    /// The time at which the problem was detected.
    package var time: Timestamp
    /// The path. Its site has at most ``Observation/Extras/longestSite`` bytes.
    package private(set) var path: PathTrace
    /// The round trip of a handshake with the resolver's address in the round; `nil` if none succeeded.
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
        self.path.site = path.site?.cut(toBytes: Observation.Extras.longestSite)
    }

    /// The network's round trip to the resolver: from the handshake, or from the last hop if this hop is the
    /// resolver; `nil` if it is unknown.
    package var networkRTT: Duration? {
        switch path.end {
        case .answered, .closed: handshake ?? path.lastRoundTrip
        case .rejected, .silent, .limit, .unsent: handshake
        }
    }
}

extension Recording.Target {
    /// Whether both targets are one resolver at one address. The path does not depend on the transport.
    package func hasWay(of other: Self) -> Bool {
        label == other.label
            && (address.map { $0 == other.address } ?? (endpoint == other.endpoint))
    }
}
