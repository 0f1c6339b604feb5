/// A round's part in an error budget.
package struct ObjectiveRound: Hashable, Sendable {
    /// When it began, in nanoseconds of any clock.
    package var start: Int64
    package var count: ObjectiveCount

    package init(start: Int64, count: ObjectiveCount) {
        (self.start, self.count) = (start, count)
    }
}

/// When an error budget is used up too fast to wait for the end of the window: at a burn rate in a
/// long window, so that it matters, and still in a short one, so that it goes on.
///
/// Rates and windows are those of the Site Reliability Workbook (Beyer et al. 2018, chapter 5): 14.4
/// over an hour and five minutes, which is 2 % of the budget of 30 days, and 6 over six hours and
/// half an hour, which is 5 %. Where rounds are far apart the windows are longer, so that the short
/// one has ``shortRounds`` and the long one ``longRounds``; a window with fewer, as after a gap,
/// tells nothing.
package struct BurnRule: Hashable, Sendable {
    /// How many times faster than the objective allows.
    package let rate: Double
    /// Windows in seconds, which end with the last round.
    package let long: Double
    package let short: Double

    package static let shortRounds = 3
    package static let longRounds = 12

    private static let usual = [
        BurnRule(rate: 14.4, long: 3600, short: 300), BurnRule(rate: 6, long: 21_600, short: 1800),
    ]

    /// The lowest of the rates.
    package static let leastRate = 6.0

    /// The rules for rounds so many seconds apart, the fastest first.
    package static func rules(interval: Double) -> [BurnRule] {
        usual.map { rule in
            BurnRule(
                rate: rule.rate,
                long: max(rule.long, Double(longRounds) * interval),
                short: max(rule.short, Double(shortRounds) * interval)
            )
        }
    }

    /// Whether an objective leaves so little to fail that failures can be that many times more.
    package static func canBurn(_ objective: ServiceObjective) -> Bool {
        objective.allowance * leastRate < 1
    }

    /// The burn that this rule finds in `rounds`, which are in their order; `nil` where it does not
    /// hold.
    package func burn(of objective: ServiceObjective, in rounds: [ObjectiveRound]) -> BudgetBurn? {
        guard
            let recent = window(short, of: rounds, atLeast: Self.shortRounds),
            let whole = window(long, of: rounds, atLeast: Self.longRounds),
            let rate = whole.count.burnRate(of: objective), rate >= self.rate,
            let lately = recent.count.burnRate(of: objective), lately >= self.rate
        else { return nil }
        return BudgetBurn(rule: self, rate: rate, long: whole, short: recent)
    }

    /// Whether the short window alone burns that fast: else there is no need for the long one.
    package func mayBurn(_ objective: ServiceObjective, in rounds: [ObjectiveRound]) -> Bool {
        let recent = window(short, of: rounds, atLeast: Self.shortRounds)
        return (recent?.count.burnRate(of: objective) ?? 0) >= rate
    }

    /// The rounds of the last `length` seconds as one, from the first of them on.
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
    /// The two windows, from their first rounds on.
    package let long: ObjectiveRound
    package let short: ObjectiveRound
}
