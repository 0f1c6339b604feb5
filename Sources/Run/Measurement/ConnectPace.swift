/// When the answers of a run's rounds may be followed by connections to strangers.
///
/// An address is connected to once in a round, and rounds are so few and so far apart that nobody is
/// bothered.
package struct ConnectPace<Instant: InstantProtocol>: Sendable where Instant.Duration == Duration {
    /// An address is connected to at most so often in a run.
    package static var mostRounds: Int { 20 }
    /// From start to start of rounds.
    package static var gap: Duration { .seconds(10) }
    /// Between two connections: 5 a second.
    package static var step: Duration { .milliseconds(200) }
    /// A round that may be followed so soon waits for its turn.
    package static var patience: Duration { .seconds(2) }

    /// Rounds that were followed.
    package private(set) var rounds: Int
    private var next: Instant?
    private var nextClaim: Instant?
    private var isUnderWay = false

    /// Goes on after so many rounds of the run.
    package init(after rounds: Int = 0) { self.rounds = rounds }

    package var isSpent: Bool { rounds >= Self.mostRounds }

    /// Whether the round that begins `now` is to ask every name, so that it can be followed.
    package mutating func claim(at now: Instant) -> Bool {
        guard !isSpent, !isUnderWay, nextClaim.map({ $0 <= now }) ?? true else { return false }
        nextClaim = now.advanced(by: Self.gap)
        return true
    }

    /// When to begin to follow a round that is over `now`; `nil` where that is not due. On loopback,
    /// where there is nobody to be polite to, it is at any time.
    package mutating func begin(at now: Instant, onLoopback: Bool) -> Instant? {
        let start = max(now, next ?? now)
        guard !isSpent, !isUnderWay, now.duration(to: start) <= Self.patience else { return nil }
        rounds += 1
        isUnderWay = true
        next = onLoopback ? nil : start.advanced(by: Self.gap)
        if onLoopback { nextClaim = nil }
        return start
    }

    /// The connections of a round are over.
    package mutating func end() { isUnderWay = false }
}
