/// The load of the line during the loaded series of a run.
package struct LoadSummary: Hashable, Sendable, Codable {
    /// The servers, as the user wrote them.
    package var places: [String]
    /// The most bytes that the load might use, and those that it used, with an estimate for headers.
    package var limit: Int64
    package var bytes: Int64
    /// The number of parallel streams in each direction.
    package var streams: Int
    /// The throughput during the queries, in bits per second; `nil` for a direction without a load.
    package var download: Double?
    package var upload: Double?
    /// The median network round trip, in milliseconds; `nil` if no resolver accepts a TCP connection.
    package var idleRoundTrip: Double?
    package var loadedRoundTrip: Double?
    /// The number of blocks before which the queue did not drain in time.
    package var undrained: Int
    /// Whether the limit of bytes ended the run.
    package var isLimitReached: Bool
    /// The failure of the load that ended the run.
    package var failure: String?

    // Many parameters: one for each fact.
    package init(
        places: [String],
        limit: Int64,
        bytes: Int64,
        streams: Int,
        download: Double?,
        upload: Double?,
        idleRoundTrip: Double?,
        loadedRoundTrip: Double?,
        undrained: Int = 0,
        isLimitReached: Bool = false,
        failure: String? = nil
    ) {
        (self.places, self.limit, self.bytes) = (places, limit, bytes)
        (self.streams, self.download, self.upload) = (streams, download, upload)
        (self.idleRoundTrip, self.loadedRoundTrip) = (idleRoundTrip, loadedRoundTrip)
        (self.undrained, self.isLimitReached) = (undrained, isLimitReached)
        self.failure = failure
    }
}
