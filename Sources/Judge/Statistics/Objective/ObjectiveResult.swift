/// Whether an objective was kept over a window, by the hours of one resolver.
package struct ObjectiveResult: Hashable, Sendable {
    /// The state of the objective: where the interval lies relative to the target.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// All of the interval is at the target or above.
        case kept
        /// All of it is below.
        case missed
        /// It contains the target.
        case open = "too-close"
    }

    package let objective: ServiceObjective
    /// All hours together.
    package let count: ObjectiveCount
    /// Hours with a query that counts.
    package let hours: Int
    /// Interval of the share within, to 95 %.
    package let interval: ClosedRange<Double>

    /// `hours` in their order.
    package init(of objective: ServiceObjective, hours: [ObjectiveCount]) {
        let measured = hours.filter { $0.queries > 0 }
        self.objective = objective
        count = measured.reduce(into: ObjectiveCount()) { $0 += $1 }
        self.hours = measured.count
        interval = HourlyShare.interval(of: measured)
    }

    package var state: State {
        if interval.lowerBound >= objective.target { return .kept }
        return interval.upperBound < objective.target ? .missed : .open
    }

    /// The part of the error budget that is left: 1 − failures / allowed failures; negative where
    /// more failed than may. `nil` without queries.
    package var budgetLeft: Double? { count.burnRate(of: objective).map { 1 - $0 } }

    /// Whether hours, rather than queries, are the unit of the interval.
    package var isByHours: Bool { hours >= HourlyShare.leastHours }
}

/// An interval of a share that was seen hour by hour.
///
/// Queries of one hour, and hours that follow each other, are alike: a busy evening is slow as a
/// whole. So hours that follow each other are put together to 20 to 39 batches of as many hours
/// each, and the batches are the unit (batch means: Schmeiser, Operations Research 30, 1982): the
/// share is a ratio of two sums over them, with the variance of a ratio (Cochran, Sampling
/// Techniques, 1977, §6.3) and Student's t. It is never narrower than the interval of as many
/// independent queries (``ProportionInterval``), which is what is told below 20 hours: hours that
/// are all alike, such as those without a failure, do not make the rest certain. Of simulated months
/// of hours that are correlated by 0.8 it holds the true share in 92 of 100; an interval of
/// independent queries would in 50.
package enum HourlyShare {
    /// So many hours make hours the unit.
    package static let leastHours = 20

    /// To 95 %; `hours` in their order, each with a query.
    package static func interval(of hours: [ObjectiveCount]) -> ClosedRange<Double> {
        let whole = hours.reduce(into: ObjectiveCount()) { $0 += $1 }
        let independent = ProportionInterval.anytime(successes: whole.within, of: whole.queries)
        guard hours.count >= leastHours, let share = whole.share else { return independent }
        let half = halfWidth(of: batches(hours), around: share, of: whole.queries)
        return max(
            0,
            min(independent.lowerBound, share - half)
        )...min(
            1,
            max(independent.upperBound, share + half)
        )
    }

    /// As many hours in each, but for one more in some.
    private static func batches(_ hours: [ObjectiveCount]) -> [ObjectiveCount] {
        let count = hours.count / (hours.count / leastHours)
        return (0..<count).map { index in
            hours[(index * hours.count / count)..<((index + 1) * hours.count / count)]
                .reduce(into: ObjectiveCount()) { $0 += $1 }
        }
    }

    private static func halfWidth(
        of batches: [ObjectiveCount],
        around share: Double,
        of queries: Int
    ) -> Double {
        let count = Double(batches.count)
        let squares = batches.reduce(0) { sum, batch in
            let residual = Double(batch.within) - share * Double(batch.queries)
            return sum + residual * residual
        }
        let error = (count / (count - 1) * squares).squareRoot() / Double(queries)
        return StudentT.quantile(0.975, freedom: batches.count - 1) * error
    }
}
