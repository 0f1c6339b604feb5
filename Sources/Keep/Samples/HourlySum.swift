package import DNSWire
package import Statistics

/// The sum of one hour's queries to one resolver. A store keeps it after the samples are deleted. It contains
/// only counted rounds.
package struct HourlySum: Hashable, Sendable {
    package var vantage: String
    package var target: Recording.Target
    package var type: RecordType
    package var timeout: Duration
    package var origin: Run.Origin
    /// The start of the hour, in UTC.
    package var hour: Timestamp
    package var figures: Figures

    /// Additive figures: the figures of all parts add up to the figures of the whole.
    package struct Figures: Hashable, Sendable {
        package var counts = OutcomeCounts()
        /// The latencies. Differences are between successive answers of one round.
        package var latency = LatencyTally()
        /// The connections that carried the answers; empty for plain queries that need no connection of their
        /// own.
        package var connections = ConnectionSums()
        /// The numbers of names that warm-ups found in the resolver's cache, and that they did not find.
        package var warmups = HitShare()
        /// The rounds that asked the resolver in this hour. A round counts once, in the sum of the record type
        /// with the lowest number that it asked. Empty if no round is counted here, or if the number is
        /// unknown.
        package var availability = Availability()

        package init() {}

        package mutating func merge(_ other: Figures) {
            counts.merge(other.counts)
            latency.merge(other.latency)
            connections.merge(other.connections)
            warmups.merge(other.warmups)
            availability.merge(other.availability)
        }
    }

    package init(
        vantage: String,
        target: Recording.Target,
        type: RecordType,
        timeout: Duration,
        origin: Run.Origin = .sample,
        hour: Timestamp = Timestamp(nanoseconds: 0),
        figures: Figures = Figures()
    ) {
        self.vantage = vantage
        self.target = target
        self.type = type
        self.timeout = timeout
        self.origin = origin
        self.hour = hour
        self.figures = figures
    }

    package var counts: OutcomeCounts { figures.counts }
    package var latency: LatencyTally { figures.latency }
    package var connections: ConnectionSums { figures.connections }
}
