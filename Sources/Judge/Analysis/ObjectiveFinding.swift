package import Samples
package import Statistics

/// The result of an objective for one resolver at one place, and the hours that missed it.
package struct ObjectiveFinding: Hashable, Sendable {
    package struct Hour: Hashable, Sendable {
        package var hour: Int
        package var count: ObjectiveCount

        package var start: Timestamp { Timestamp(hoursSinceEpoch: hour) }
    }

    package let result: ObjectiveResult
    /// The hours below the target that used up most of the error budget, the worst first. An hour must exceed
    /// its budget by at least one query.
    package let worst: [Hour]

    /// The maximum number of the worst hours in the report.
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
    /// Returns the queries answered within the time of `objective`, and all queries that count. Samples are
    /// counted exactly. For hourly sums, the limit is accurate to 1 %.
    package func count(within objective: ServiceObjective) -> ObjectiveCount {
        let late = answers.count { !objective.holds($0) }
        let known = sums?.count(within: objective) ?? ObjectiveCount()
        return ObjectiveCount(
            within: answers.count - late + known.within,
            queries: answers.count + (sums?.answered ?? 0) + counts.failed
        )
    }
}
