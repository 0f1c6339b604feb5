/// The rules by which a share of a whole counts as changed (method of incidents, §3).
package struct ShareRules: Hashable, Sendable {
    /// The smallest difference of two shares that counts, 0 to 1.
    var leastDifference: Double
    /// The smallest ratio of the larger share to the smaller one; 1 if only the difference counts.
    var leastRatio: Double
    /// Whether an hour counts only up to a limit, and whether the usual course of days and weeks is removed.
    /// Losses come in bursts and depend on the hour.
    var hasBursts: Bool
    /// The least ln of the likelihood ratio of two rates, divided by the scatter.
    var leastEvidence: Double

    /// Queries without an answer.
    package static let losses = ShareRules(
        leastDifference: 0.003,
        leastRatio: 1.5,
        hasBursts: true,
        leastEvidence: 10.5
    )

    /// Returns whether two shares differ enough to matter.
    func areDifferent(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) >= leastDifference && max(left, right) >= leastRatio * min(left, right)
    }

    /// Returns an hour's part, at most three standard deviations and two above the `expected` one. One bad
    /// hour is therefore no change of the rate.
    static func limited(_ part: Double, expected: Double) -> Double {
        guard part > expected + 2 else { return part }
        return min(part, expected + 3 * expected.squareRoot() + 2)
    }
}

/// A part of a whole in one hour, such as the lost queries. Rounds without any answer are outages, and are
/// not in it.
package struct ShareHour: Hashable, Sendable {
    /// Hours since 1970-01-01T00:00:00Z.
    package let hour: Int
    /// The hour of the week, 0 to 167 from Monday on, by the local clock.
    package let hourOfWeek: Int
    package let part: Int
    package let whole: Int

    /// Limits the part to the whole, and the hour of the week to its range.
    package init(hour: Int, hourOfWeek: Int, part: Int, whole: Int) {
        self.hour = hour
        self.hourOfWeek = hourOfWeek.hourOfWeek
        self.whole = max(0, whole)
        self.part = min(max(0, part), self.whole)
    }

    /// The number of the six hours of the day, 0 to 3, and 4 to 7 at weekends.
    var cell: Int { hourOfWeek / 6 % 4 + (hourOfWeek >= 120 ? 4 : 0) }
}
