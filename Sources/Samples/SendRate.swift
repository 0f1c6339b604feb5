/// How often queries really left, at the times that the plan's clock gives them.
package struct SendRate: Hashable, Sendable {
    /// The most in any second.
    package private(set) var most = 0
    /// The most in any second to one endpoint.
    package private(set) var mostToOne = 0

    /// The rate of the queries of `recording` that were sent.
    package init(of recording: Recording) {
        var all: [Int64] = []
        var byEndpoint: [String: [Int64]] = [:]
        for (index, samples) in recording.samplesByTarget().enumerated() {
            let moments = samples.filter {
                $0.observation.outcome.wasSent && !$0.observation.noRoute
            }
            .map(\.leaving)
            all += moments
            byEndpoint[recording.targets[index].endpoint, default: []] += moments
        }
        most = Self.mostInASecond(all)
        mostToOne = byEndpoint.values.map(Self.mostInASecond).max() ?? 0
    }

    private static func mostInASecond(_ moments: [Int64]) -> Int {
        let moments = moments.sorted()
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
    /// Nanoseconds since 1970 UTC, by a clock that is not set.
    fileprivate var leaving: Int64 {
        scheduled.nanoseconds.addingReportingOverflow(observation.lateness).partialValue
    }
}
