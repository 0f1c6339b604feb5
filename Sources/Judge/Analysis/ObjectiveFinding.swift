package import Samples
package import Statistics

/// How one resolver at one place kept an objective, and the hours in which it did not.
package struct ObjectiveFinding: Hashable, Sendable {
    package struct Hour: Hashable, Sendable {
        package var hour: Int
        package var count: ObjectiveCount

        package var start: Timestamp { Timestamp(hoursSinceEpoch: hour) }
    }

    package let result: ObjectiveResult
    /// The hours below the target that used up most of the error budget, the worst first; one query
    /// alone makes none of them.
    package let worst: [Hour]

    /// So many of the worst hours are told.
    package static let mostHours = 5
}

extension HistoryHours.Timeline {
    package func finding(of objective: ServiceObjective) -> ObjectiveFinding {
        let counts = hours.map {
            ObjectiveFinding.Hour(hour: $0, count: $1.count(within: objective))
        }
        let below = counts.filter { hour in
            let allowed = objective.allowance * Double(hour.count.queries)
            return Double(hour.count.failures) - allowed >= 1
        }
        let worst = below.sorted { left, right in
            (right.count.failures, left.count.queries, left.hour)
                < (left.count.failures, right.count.queries, right.hour)
        }
        return ObjectiveFinding(
            result: ObjectiveResult(of: objective, hours: counts.map(\.count)),
            worst: Array(worst.prefix(ObjectiveFinding.mostHours))
        )
    }
}

extension Figures {
    /// Queries answered within the time of `objective`, of all that count: exact of samples; of
    /// hourly sums as if the time were up to 1 % longer or shorter.
    package func count(within objective: ServiceObjective) -> ObjectiveCount {
        let late = answers.count { !objective.holds($0) }
        let known = sums?.count(within: objective) ?? ObjectiveCount()
        return ObjectiveCount(
            within: answers.count - late + known.within,
            queries: answers.count + (sums?.answered ?? 0) + counts.failed
        )
    }
}
