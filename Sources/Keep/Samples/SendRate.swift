/// The actual rate of queries, measured with the plan's clock.
package struct SendRate: Hashable, Sendable {
    /// The maximum number of queries in any second.
    package private(set) var most = 0
    /// The maximum number of queries to one endpoint in any second.
    package private(set) var mostToOne = 0

    package init() {}

    /// Computes the rate of queries with these ``Sample/departure``s, by endpoint.
    package init(_ departures: consuming [String: [Int64]]) {
        var all: [Int64] = []
        for endpoint in Array(departures.keys) {
            // The lists of a long recording are large, so that none is copied.
            guard var moments = departures.removeValue(forKey: endpoint) else { continue }
            mostToOne = max(mostToOne, Self.mostInASecond(&moments))
            all += moments
        }
        most = Self.mostInASecond(&all)
    }

    private static func mostInASecond(_ moments: inout [Int64]) -> Int {
        moments.sort()
        var first = 0
        var most = 0
        for (index, moment) in moments.enumerated() {
            while moment.subtractingReportingOverflow(moments[first]).partialValue >= 1_000_000_000
            {
                first += 1
            }
            most = max(most, index - first + 1)
        }
        return most
    }
}

extension Sample {
    /// The time of sending in nanoseconds since 1970 UTC, by a clock that is never set; `nil` if the query
    /// was not sent.
    package var departure: Int64? {
        guard observation.outcome.wasSent, !observation.noRoute, !observation.wrongAddress else {
            return nil
        }
        return scheduled.nanoseconds.addingReportingOverflow(observation.lateness).partialValue
    }
}
