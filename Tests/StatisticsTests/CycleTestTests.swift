import Fixtures
import Statistics
import Testing

struct CycleTestTests {
    /// Hourly medians around 20 ms. Neighbouring hours have a correlation of 0.9.
    private func series(
        days: Int,
        seed: UInt64,
        first: Int = 0,
        adding change: (Int) -> Double = { _ in 0 }
    ) -> [(unit: Int, value: Double)] {
        var random = SplitMix64(seed: seed)
        var state = 0.0
        return (first..<first + days * 24).map { hour in
            state = 0.9 * state + 0.218 * random.normal()
            return (hour, 20 + state + change(hour))
        }
    }

    private func count(
        _ seeds: ClosedRange<UInt64>,
        days: Int,
        adding change: @escaping (Int) -> Double = { _ in 0 }
    ) throws -> Int {
        try seeds.count { seed in
            let test = try #require(
                CycleTest(period: 24, series(days: days, seed: seed, adding: change))
            )
            return test.isEstablished(among: 1)
        }
    }

    @Test(arguments: [4, 30])
    func `correlated hours without a pattern give at most 5 % false patterns`(
        days: Int
    ) throws {
        #expect(try count(1...100, days: days) <= 5)
    }

    @Test(arguments: [
        // 9 ms in 26 days.
        { @Sendable (hour: Int) in Double(hour) * 9 / 624 },
        { @Sendable (hour: Int) in hour > 200 ? 5 : 0 },
    ])
    func `a drift and a step are no patterns`(change: @Sendable @escaping (Int) -> Double) throws {
        #expect(try count(1...50, days: 26, adding: change) <= 4)
    }

    @Test(arguments: [(days: 7, least: 45), (days: 30, least: 50)])
    func `evenings that are slower by 2 ms are a pattern`(days: Int, least: Int) throws {
        let found = try count(1...50, days: days) { (18..<23).contains($0 % 24) ? 2 : 0 }
        #expect(found >= least)
    }

    @Test func `a schedule at night has patterns too`() throws {
        let values = series(days: 20, seed: 3) { $0 % 24 == 5 ? 3 : 0 }.filter { $0.unit % 24 < 8 }
        #expect(try #require(CycleTest(period: 24, values)).isEstablished(among: 5))
    }

    @Test func `the result does not depend on the order of the values, nor on time zero`() throws {
        let values = series(days: 6, seed: 9, first: -72) { $0 % 24 == 5 ? 1 : 0 }
        let test = try #require(CycleTest(period: 24, values))
        #expect(CycleTest(period: 24, values.reversed()) == test)
        #expect(CycleTest(period: 24, values.map { ($0.unit + 2_400, $0.value) }) == test)
    }

    @Test func `fewer than four periods are not tested`() {
        #expect(CycleTest(period: 24, series(days: 3, seed: 1)) == nil)
        #expect(CycleTest(period: 24, []) == nil)
        let scattered = (0..<40).map { (unit: $0 * 24, value: 1.0) }
        #expect(CycleTest(period: 24, scattered) == nil)
    }

    @Test func `equal and infinite values give no pattern`() throws {
        let equal = (0..<240).map { (unit: $0, value: $0 % 24 == 3 ? .infinity : 20.0) }
        let test = try #require(CycleTest(period: 24, equal))
        #expect(test.pValue == 1)
    }

    @Test func `more tested series need stronger evidence`() throws {
        let found = (1...200).lazy.compactMap { seed in
            CycleTest(period: 24, series(days: 5, seed: seed) { $0 % 24 < 3 ? 0.8 : 0 })
        }
        .first { (0.001...0.009).contains($0.pValue) }
        let test = try #require(found)
        #expect(test.isEstablished(among: 1))
        #expect(!test.isEstablished(among: 60))
    }
}
