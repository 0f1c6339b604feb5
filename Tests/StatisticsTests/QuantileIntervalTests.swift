import Statistics
import Testing

struct QuantileIntervalTests {
    /// The ranks at 95 % for the median, p90, p95 and p99. `count` + 1 is an open end.
    @Test(arguments: [
        (20, 0.5, 6, 15), (50, 0.5, 18, 33), (100, 0.5, 40, 61), (200, 0.5, 86, 115),
        (500, 0.5, 228, 273), (1000, 0.5, 469, 532), (20, 0.9, 15, 21), (50, 0.9, 41, 50),
        (100, 0.9, 84, 96), (1000, 0.9, 881, 919), (50, 0.95, 44, 51), (200, 0.95, 184, 197),
        (500, 0.99, 490, 500), (1000, 0.99, 983, 997), (5, 0.5, 0, 6), (6, 0.5, 1, 6),
        (0, 0.5, 0, 1),
    ])
    func `the ranks are binomial`(count: Int, quantile: Double, lower: Int, upper: Int) {
        let ranks = QuantileInterval.ranks(of: count, quantile: quantile)
        #expect(ranks.lower == lower && ranks.upper == upper)
    }

    @Test func `ranks of many values keep their precision`() {
        let ranks = QuantileInterval.ranks(of: 100_000)
        // n/2 ± 1.96·√n/2.
        #expect(abs(ranks.lower - 49_690) <= 1 && abs(ranks.upper - 50_311) <= 1)
    }

    @Test(arguments: [(0.5, 6), (0.25, 13), (0.05, 72), (0.95, 72), (0.99, 368)])
    func `an interval requires a minimum of values`(quantile: Double, fewest: Int) throws {
        #expect(QuantileInterval.fewestValues(forQuantile: quantile) == fewest)
        let upper = max(quantile, 1 - quantile)
        #expect(try #require(QuantileInterval.highestQuantile(of: fewest)) >= upper)
        #expect(try #require(QuantileInterval.highestQuantile(of: fewest - 1)) < upper)
    }

    @Test func `the interval lies between two of the values`() {
        let values = (1...20).map(Double.init).reversed()
        #expect(QuantileInterval.ofMedian(Array(values)) == 6...15)
        #expect(QuantileInterval.ofMedian([1, 2, 3, 4, 5]) == nil)
        #expect(QuantileInterval.ofMedian([]) == nil)
    }
}
