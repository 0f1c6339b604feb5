package import Catalogue

/// A run that measured what the IANA registry of performance metrics defines as DNS response latency
/// and loss (RFC 8912 §6), beside its samples.
package struct RegisteredSampling: Hashable, Sendable, Codable {
    /// The queries to one resolver.
    package struct Stream: Hashable, Sendable, Codable {
        package var target: Recording.Target
        /// Where the queries leave from; `nil` without a route.
        package var source: IPAddress?
        package var destination: Endpoint
        /// Mean gap, and the longest, in seconds.
        package var reciprocalLambda: Double
        package var truncation: Double
        /// The IDs of the queries by the time of sending.
        package var ids: [Timestamp: UInt16]

        package init(
            target: Recording.Target,
            source: IPAddress?,
            destination: Endpoint,
            reciprocalLambda: Double,
            truncation: Double,
            ids: [Timestamp: UInt16]
        ) {
            self.target = target
            self.source = source
            self.destination = destination
            self.reciprocalLambda = reciprocalLambda
            self.truncation = truncation
            self.ids = ids
        }
    }

    /// When the first gap began.
    package var start: Timestamp
    /// By how much the schedule was put off, since the process or machine stood still.
    package var postponed: Duration
    package var streams: [Stream]

    package init(start: Timestamp, postponed: Duration, streams: [Stream]) {
        self.start = start
        self.postponed = postponed
        self.streams = streams
    }
}
