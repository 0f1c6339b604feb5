/// A round's contribution to an error budget.
package struct ObjectiveRound: Hashable, Sendable {
    /// The start of the round, in nanoseconds of any clock.
    package var start: Int64
    package var count: ObjectiveCount

    package init(start: Int64, count: ObjectiveCount) {
        (self.start, self.count) = (start, count)
    }
}

/// A rule that detects when an error budget is used up too fast to wait for the end of the window. The burn
/// rate must be exceeded in a long window, which shows that it matters, and in a short window, which shows
/// that it continues.
///
/// Rates and windows are those of the Site Reliability Workbook (Beyer et al. 2018, chapter 5). The first
/// rule is 14.4 over an hour and five minutes, which is 2 % of the budget of 30 days. The second is 6 over
/// six hours and half an hour, which is 5 %. If rounds are far apart, the windows are extended to
/// ``shortRounds`` and ``longRounds`` rounds. A window with fewer rounds, such as after a gap, is ignored.
package struct BurnRule: Hashable, Sendable {
    /// The burn rate: how many times faster than the objective allows.
    package let rate: Double
    /// The lengths of the windows in seconds. Both end with the last round.
    package let long: Double
    package let short: Double

    package static let shortRounds = 3
    package static let longRounds = 12

    private static let usual = [
        BurnRule(rate: 14.4, long: 3600, short: 300), BurnRule(rate: 6, long: 21_600, short: 1800),
    ]

    /// The lowest of the rates.
    package static let leastRate = 6.0

    /// Returns the rules for rounds that are `interval` seconds apart, the fastest first.
    package static func rules(interval: Double) -> [BurnRule] {
        usual.map { rule in
            BurnRule(
                rate: rule.rate,
                long: max(rule.long, Double(longRounds) * interval),
                short: max(rule.short, Double(shortRounds) * interval)
            )
        }
    }

    /// Returns whether the objective's budget is small enough for failures at ``leastRate`` times the allowed
    /// share.
    package static func canBurn(_ objective: ServiceObjective) -> Bool {
        objective.allowance * leastRate < 1
    }

    /// Returns the burn that this rule finds in `rounds`, which must be in order; `nil` if the rule does not
    /// apply.
    package func burn(of objective: ServiceObjective, in rounds: [ObjectiveRound]) -> BudgetBurn? {
        guard
            let recent = window(short, of: rounds, atLeast: Self.shortRounds),
            let whole = window(long, of: rounds, atLeast: Self.longRounds),
            let rate = whole.count.burnRate(of: objective), rate >= self.rate,
            let lately = recent.count.burnRate(of: objective), lately >= self.rate
        else { return nil }
        return BudgetBurn(rule: self, rate: rate, long: whole, short: recent)
    }

    /// Returns whether the short window alone burns that fast. Otherwise the long window is not needed.
    package func mayBurn(_ objective: ServiceObjective, in rounds: [ObjectiveRound]) -> Bool {
        let recent = window(short, of: rounds, atLeast: Self.shortRounds)
        return (recent?.count.burnRate(of: objective) ?? 0) >= rate
    }

    /// Returns the sum of the rounds of the last `length` seconds, from the first of them on; `nil` with
    /// fewer than `least` rounds.
    private func window(
        _ length: Double,
        of rounds: [ObjectiveRound],
        atLeast least: Int
    ) -> ObjectiveRound? {
        guard let last = rounds.last else { return nil }
        let found = rounds.filter { (Double(last.start) - Double($0.start)) * 1e-9 < length }
        guard found.count >= least, var sum = found.first else { return nil }
        for round in found.dropFirst() { sum.count += round.count }
        return sum
    }
}

/// An error budget that is used up too fast.
package struct BudgetBurn: Hashable, Sendable {
    package let rule: BurnRule
    /// How many times faster than the objective allows, over the long window.
    package let rate: Double
    /// The rounds of the two windows, each from its first round on.
    package let long: ObjectiveRound
    package let short: ObjectiveRound
}
