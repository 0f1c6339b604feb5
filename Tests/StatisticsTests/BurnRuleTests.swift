import Testing

@testable import Statistics

struct BurnRuleTests {
    private func objective(_ target: Double = 0.99) throws -> ServiceObjective {
        try #require(ServiceObjective(limit: 50, target: target, isQuantile: false))
    }

    /// Rounds of 100 queries, five minutes apart, with these numbers of failures.
    private func rounds(_ failures: [Int]) -> [ObjectiveRound] {
        failures.enumerated().map { index, failures in
            ObjectiveRound(
                start: Int64(index) * 300_000_000_000,
                count: ObjectiveCount(within: 100 - failures, queries: 100)
            )
        }
    }

    private func burn(_ failures: [Int], target: Double = 0.99) throws -> BudgetBurn? {
        let objective = try objective(target)
        return BurnRule.rules(interval: 300).lazy
            .compactMap { $0.burn(of: objective, in: rounds(failures)) }.first
    }

    @Test func `windows have the workbook's lengths, or more for distant rounds`() {
        let close = BurnRule.rules(interval: 60)
        #expect(close.map(\.rate) == [14.4, 6] && BurnRule.leastRate == 6)
        #expect(close.map(\.long) == [3600, 21_600] && close.map(\.short) == [300, 1800])
        let usual = BurnRule.rules(interval: 300)
        #expect(usual.map(\.long) == [3600, 21_600] && usual.map(\.short) == [900, 1800])
        let far = BurnRule.rules(interval: 3600)
        #expect(far.map(\.long) == [43_200, 43_200] && far.map(\.short) == [10_800, 10_800])
    }

    @Test func `a budget burns if both windows exceed the rate`() throws {
        // One hour with 15 % failures. The objective allows 1 %.
        let burn = try #require(try burn(Array(repeating: 15, count: 12)))
        #expect(burn.rule.rate == 14.4 && agree(burn.rate, 15, within: 1e-9))
        #expect(burn.long == ObjectiveRound(start: 0, count: .init(within: 1020, queries: 1200)))
        // The short window is the last fifteen minutes.
        #expect(burn.short.start == 9 * 300_000_000_000 && burn.short.count.queries == 300)
    }

    @Test(arguments: [
        // The cases are failures that have ended, failures for less than an hour, a rate below the limit, too
        // few rounds (as after a gap), and no rounds.
        Array(repeating: 40, count: 6) + Array(repeating: 0, count: 6),
        Array(repeating: 0, count: 60) + [40, 40, 40],
        Array(repeating: 5, count: 72), Array(repeating: 100, count: 11), [],
    ])
    func `a single window is not enough for a burn`(failures: [Int]) throws {
        #expect(try burn(failures) == nil)
    }

    @Test func `a window of six hours detects a slower burn`() throws {
        let burn = try #require(try burn(Array(repeating: 8, count: 72)))
        #expect(burn.rule.rate == 6 && agree(burn.rate, 8, within: 1e-9))
        #expect(burn.long.count.queries == 7200 && burn.short.count.queries == 600)
    }

    @Test func `the short window alone shows whether the long window is needed`() throws {
        let rule = BurnRule.rules(interval: 300)[0]
        let objective = try objective()
        #expect(rule.mayBurn(objective, in: rounds([40, 40, 40])))
        #expect(!rule.mayBurn(objective, in: rounds([40, 40])))
        #expect(!rule.mayBurn(objective, in: rounds([1, 1, 1])))
    }

    @Test func `the first round may have the earliest possible time`() throws {
        var rounds = rounds([40, 40, 40])
        rounds.insert(ObjectiveRound(start: .min, count: rounds[0].count), at: 0)
        #expect(BurnRule.rules(interval: 300)[0].mayBurn(try objective(), in: rounds))
    }

    @Test(arguments: [(0.5, false), (0.8333, false), (0.834, true), (0.95, true)])
    func `a budget over a sixth never burns`(target: Double, canBurn: Bool) throws {
        #expect(BurnRule.canBurn(try objective(target)) == canBurn)
    }
}
