package import DNSWire
package import Statistics

/// What an hour of one resolver's queries adds up to, as a store keeps it when the samples are
/// long gone; rounds that are marked are not in it.
package struct HourlySum: Hashable, Sendable {
    package var vantage: String
    package var target: Recording.Target
    package var type: RecordType
    package var timeout: Duration
    /// Its start, in UTC.
    package var hour: Timestamp
    package var counts: OutcomeCounts
    package var latency: LatencyTally
    /// What carried the answers; empty where plain queries need no connection of theirs.
    package var connections: ConnectionSums

    package init(
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
