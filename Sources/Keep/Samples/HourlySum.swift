package import DNSWire
package import Statistics

/// The sum of one hour's queries to one resolver, as a store keeps it when the samples are long
/// gone; rounds that do not count are not in it.
package struct HourlySum: Hashable, Sendable {
    package var vantage: String
    package var target: Recording.Target
    package var type: RecordType
    package var timeout: Duration
    package var origin: Run.Origin
    /// Its start, in UTC.
    package var hour: Timestamp
    package var figures: Figures

    /// Figures that are added up; figures of parts add up to those of the whole.
    package struct Figures: Hashable, Sendable {
        package var counts = OutcomeCounts()
        /// Differences are between successive answers of one round.
        package var latency = LatencyTally()
        /// The connections that carried the answers; empty where plain queries need no connection
        /// of theirs.
        package var connections = ConnectionSums()
        /// Names that warm-ups found in the resolver's cache, and those that they did not.
        package var warmups = HitShare()

        package init() {}

        package mutating func merge(_ other: Figures) {
            counts.merge(other.counts)
            latency.merge(other.latency)
            connections.merge(other.connections)
            warmups.merge(other.warmups)
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
