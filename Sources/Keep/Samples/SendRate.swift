/// How often queries really left, at the times that the plan's clock gives them.
package struct SendRate: Hashable, Sendable {
    /// The most in any second.
    package private(set) var most = 0
    /// The most in any second to one endpoint.
    package private(set) var mostToOne = 0

    package init() {}

    /// The rate of queries with these ``Sample/departure``s, by endpoint.
    package init(_ departures: consuming [String: [Int64]]) {
        var all: [Int64] = []
        for endpoint in Array(departures.keys) {
            // The lists of a long recording are large: none is copied.
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
    /// When it left, in nanoseconds since 1970 UTC by a clock that is never set; `nil` if it was not
    /// sent.
    package var departure: Int64? {
        guard observation.outcome.wasSent, !observation.noRoute, !observation.wrongAddress else {
            return nil
        }
        return scheduled.nanoseconds.addingReportingOverflow(observation.lateness).partialValue
    }
}
