package import Statistics

/// What was measured of one resolver in one stretch of time. A stretch without measurements has no
/// bin: it is a gap, and not a loss.
package struct TimeBin: Hashable, Sendable {
    /// Where the stretch begins, in seconds since 1970 UTC, and how long it is, in seconds.
    package var start: Int64
    package var length: Int64
    /// The queries that were sent in it.
    package var latency: LatencyTally

    package init(start: Int64, length: Int64, latency: LatencyTally) {
        self.start = start
        self.length = length
        self.latency = latency
    }
}

extension TimeBin {
    /// Beyond these no history is meant; they keep every sum of moments and counts defined.
    private static let crediblePast: Int64 = 1 << 40
    private static let credibleCount = 1 << 40

    /// Where the stretch ends.
    var end: Int64 { start + length }

    /// How large the share of queries without an answer is.
    var loss: LossClass {
        LossClass(lost: latency.nonAnswers, of: latency.answered + latency.nonAnswers)
    }

    /// Whether there is something to draw, and its moments and counts can be reckoned with.
    var isSound: Bool {
        let past = -Self.crediblePast...Self.crediblePast
        let counts = 0...Self.credibleCount
        return past.contains(start) && (1...Self.crediblePast).contains(length)
            && counts.contains(latency.answered) && counts.contains(latency.nonAnswers)
            && latency.answered + latency.nonAnswers > 0
    }

    /// Takes in what another bin measured, so that quantiles of the whole are those of all its
    /// queries and never averages of quantiles.
    mutating func merge(_ other: TimeBin) {
        let last = max(end, other.end)
        start = min(start, other.start)
        length = last - start
        latency.merge(other.latency)
    }
}
