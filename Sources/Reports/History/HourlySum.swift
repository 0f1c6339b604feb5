public import DNSWire
public import Measurement
public import Statistics

/// What an hour of one resolver's queries adds up to, as a store keeps it when the samples are
/// long gone; rounds that are marked are not in it.
public struct HourlySum: Hashable, Sendable {
    public var vantage: String
    public var target: Recording.Target
    public var type: RecordType
    public var timeout: Duration
    /// Its start, in UTC.
    public var hour: Timestamp
    public var counts: OutcomeCounts
    public var latency: LatencyTally
    /// What carried the answers; empty where plain queries need no connection of theirs.
    public var connections: ConnectionSums

    public init(
        vantage: String,
        target: Recording.Target,
        type: RecordType,
        timeout: Duration,
        hour: Timestamp,
        counts: OutcomeCounts,
        latency: LatencyTally,
        connections: ConnectionSums = ConnectionSums()
    ) {
        self.vantage = vantage
        self.target = target
        self.type = type
        self.timeout = timeout
        self.hour = hour
        self.counts = counts
        self.latency = latency
        self.connections = connections
    }
}
