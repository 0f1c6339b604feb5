import Testing

@testable import Load

struct LoadBudgetTests {
    @Test(arguments: [
        (roundTrip: Duration.milliseconds(300), counted: Int64(1_300_000)),
        // No longer queue is expected.
        (roundTrip: .seconds(20), counted: 2_000_000),
    ])
    func `data that is on its way when a load ends is counted`(roundTrip: Duration, counted: Int64)
    {
        let budget = LoadBudget(limit: 10_000_000)
        budget.note(1_000_000)
        budget.spend(1_000_000)
        budget.spendDataOnItsWay(roundTrip)
        #expect(budget.counted == counted)
    }

    @Test func `a load is over before the data on its way could exceed the limit`() {
        let budget = LoadBudget(limit: 4_400_000)
        budget.note(1_000_000)
        budget.spend(1_000_000)
        // 1 MB, 1.9 s and the last second, with 10 % for headers, are below the limit.
        #expect(budget.allows(.milliseconds(1_900)))
        #expect(!budget.allows(.seconds(2)))
        #expect(!budget.allowsMore && budget.isOver)
    }
}
