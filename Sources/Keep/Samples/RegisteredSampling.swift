package import Catalogue

/// The properties of a run that measured DNS response latency and loss. The IANA registry of performance
/// metrics defines both (RFC 8912 §6). The properties supplement the run's samples.
package struct RegisteredSampling: Hashable, Sendable, Codable {
    /// The queries to one resolver.
    package struct Stream: Hashable, Sendable, Codable {
        package var target: Recording.Target
        /// The source address of the queries; `nil` without a route.
        package var source: IPAddress?
        package var destination: Endpoint
        /// The mean and the maximum gap, in seconds.
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

    /// The time at which the first gap began.
    package var start: Timestamp
    /// The time by which the schedule was postponed, because the process or the machine was suspended.
    package var postponed: Duration
    package var streams: [Stream]

    package init(start: Timestamp, postponed: Duration, streams: [Stream]) {
        self.start = start
        self.postponed = postponed
        self.streams = streams
    }
}
