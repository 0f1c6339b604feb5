package import Samples
package import Statistics

/// What was measured of one resolver over one transport in one series.
package struct ResolverRow: Hashable, Sendable {
    package var target: Recording.Target
    /// The label, with the transport or the endpoint behind it where another row has it too.
    package var name: String
    package var counts: OutcomeCounts
    package var latency: LatencySummary
    package var isBaseline: Bool
    /// What was measured beside the queries of the row, where it was.
    package var surroundings = Surroundings()
    /// What carried the queries, where that is worth telling.
    package var connections: ConnectionFigures?
    /// Of those that opened a connection, how far they had come when.
    package var openings: [OpeningFigures] = []
    /// The ranks that it may have in its series; `nil` where none is told apart, and where it fails
    /// more than most.
    package var rank: ClosedRange<Int>?
    /// Of the median, to 95 %, infinite above where it may lie beyond the timeout; `nil` where the
    /// queries are too few.
    package var medianInterval: ClosedRange<Double>?

    package init(
        target: Recording.Target,
        name: String,
        counts: OutcomeCounts,
        latency: LatencySummary,
        isBaseline: Bool
    ) {
        self.target = target
        self.name = name
        self.counts = counts
        self.latency = latency
        self.isBaseline = isBaseline
    }

    /// The failure rates that cannot be excluded, to 95 %, however often one looks.
    var failureInterval: ClosedRange<Double> {
        ProportionInterval.anytime(successes: counts.lost, of: counts.measured)
    }

    /// Such as `1`, or `2–3` where it may have either; a dash where it fails more than most.
    var rankText: String {
        guard let rank else { return "–" }
        return rank.count == 1
            ? "\(rank.lowerBound)" : "\(rank.lowerBound)–\(rank.upperBound)"
    }

    /// A quantile in words: the time, `> 5 s` where it lies among the timeouts, `–` of nothing.
    func quantile(_ value: Double?, in format: LatencyFormat) -> String {
        if let value { return format.cell(value) }
        return latency.count > 0 ? LatencyFormat.beyond(latency.timeout) : "–"
    }
}
