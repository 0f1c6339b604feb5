/// The times at which connections to the servers in answers may follow the rounds of a run.
///
/// A round connects to each address once. Few rounds, far apart, have connections, so that they
/// burden no server.
package struct ConnectPace<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// The maximum number of connections to an address in a run.
    package static var mostRounds: Int { 20 }
    /// The minimum time between the starts of two rounds with connections.
    package static var gap: Duration { .seconds(10) }
    /// The time between two connections: 5 per second.
    package static var step: Duration { .milliseconds(200) }
    /// The maximum wait of a round for its turn.
    package static var patience: Duration { .seconds(2) }

    /// The number of rounds with connections.
    package private(set) var rounds: Int
    private var next: Instant?
    private var nextClaim: Instant?
    private var isUnderWay = false

    /// Continues after this number of rounds with connections in the run.
    package init(after rounds: Int = 0) { self.rounds = rounds }

    package var isSpent: Bool { rounds >= Self.mostRounds }

    /// Whether the round that begins `now` must query every name, so that connections can follow
    /// it.
    package mutating func claim(at now: Instant) -> Bool {
        guard !isSpent, !isUnderWay, nextClaim.map({ $0 <= now }) ?? true else { return false }
        nextClaim = now.advanced(by: Self.gap)
        return true
    }

    /// The time to begin the connections of a round that ends `now`; `nil` if they are not due. On
    /// loopback they are always due, because no other server needs politeness.
    package mutating func begin(at now: Instant, onLoopback: Bool) -> Instant? {
        let start = max(now, next ?? now)
        guard !isSpent, !isUnderWay, now.duration(to: start) <= Self.patience else { return nil }
        rounds += 1
        isUnderWay = true
        next = onLoopback ? nil : start.advanced(by: Self.gap)
        if onLoopback { nextClaim = nil }
        return start
    }

    /// Records that the connections of a round have ended.
    package mutating func end() { isUnderWay = false }
}
