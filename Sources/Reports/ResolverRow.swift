public import Measurement
public import Statistics

/// What was measured of one resolver over one transport in one series.
public struct ResolverRow: Hashable, Sendable {
    public var target: Recording.Target
    /// The label, with the transport or the endpoint behind it where another row has it too.
    public var name: String
    public var counts: OutcomeCounts
    public var latency: LatencySummary
    public var isBaseline: Bool
    /// What was measured beside the queries of the row, where it was.
    public var surroundings = Surroundings()

    public init(
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

    /// A quantile in words: the time, `> 5 s` where it lies among the timeouts, `–` of nothing.
    func quantile(_ value: Double?, in format: LatencyFormat) -> String {
        if let value { return format.cell(value) }
        return latency.count > 0 ? LatencyFormat.beyond(latency.timeout) : "–"
    }
}
