import LibC

/// The share of queries that open a connection, because the server has closed the connection of the query
/// before. All times are in seconds.
package enum ConnectionShare {
    /// The share for Poisson traffic of `rate` queries per second, if the server closes connections after
    /// `timeout`. The gaps are exponential, so that the share of longer gaps is e^(−rate·timeout).
    package static func ofPoisson(rate: Double, timeout: Double) -> Double {
        exp(-max(0, rate) * max(0, timeout))
    }

    /// The share of queries at these `times`, in ascending order, that open a connection. The first query
    /// always does; `nil` without queries.
    package static func ofPattern(_ times: [Double], timeout: Double) -> Double? {
        guard !times.isEmpty else { return nil }
        let opened = 1 + zip(times, times.dropFirst()).count { $1 - $0 > timeout }
        return Double(opened) / Double(times.count)
    }
}

/// The times that opening a connection took, in milliseconds.
package struct OpeningTimes: Hashable, Sendable {
    package let times: [Double]

    package init(_ times: [Double]) { self.times = times }

    package var median: Double? { times.median }
    package var mean: Double? { times.mean }

    /// The 95 % interval of the median; `nil` with fewer than six connections.
    package var interval: ClosedRange<Double>? { QuantileInterval.ofMedian(times) }
}
