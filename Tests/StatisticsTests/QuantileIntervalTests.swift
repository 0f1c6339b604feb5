import Statistics
import Testing

struct QuantileIntervalTests {
    /// Ranks at 95 % for the median, p90, p95 and p99; `count` + 1 is an open end.
    @Test(arguments: [
        (20, 0.5, 6, 15), (50, 0.5, 18, 33), (100, 0.5, 40, 61), (200, 0.5, 86, 115),
        (500, 0.5, 228, 273), (1000, 0.5, 469, 532), (20, 0.9, 15, 21), (50, 0.9, 41, 50),
        (100, 0.9, 84, 96), (1000, 0.9, 881, 919), (50, 0.95, 44, 51), (200, 0.95, 184, 197),
        (500, 0.99, 490, 500), (1000, 0.99, 983, 997), (5, 0.5, 0, 6), (6, 0.5, 1, 6),
        (0, 0.5, 0, 1),
    ])
    func `the ranks are those of the binomial distribution`(
        count: Int,
        quantile: Double,
        lower: Int,
        upper: Int
    ) {
        let ranks = QuantileInterval.ranks(of: count, quantile: quantile)
        #expect(ranks.lower == lower && ranks.upper == upper)
    }

    @Test func `many values do not run out of digits`() {
        let ranks = QuantileInterval.ranks(of: 100_000)
        // n/2 ± 1.96·√n/2.
        #expect(abs(ranks.lower - 49_690) <= 1 && abs(ranks.upper - 50_311) <= 1)
    }

    @Test func `the interval lies between two of the values`() {
        let values = (1...20).map(Double.init).reversed()
        #expect(QuantileInterval.ofMedian(Array(values)) == 6...15)
        #expect(QuantileInterval.ofMedian([1, 2, 3, 4, 5]) == nil)
        #expect(QuantileInterval.ofMedian([]) == nil)
    }

    @Test(arguments: [(0.5, 6), (0.9, 36), (0.95, 72), (0.99, 368)])
    func `an interval takes as many queries as its quantile needs`(quantile: Double, count: Int) {
        #expect(QuantileInterval.minimumCount(quantile: quantile) == count)
        for count in [count - 1, count] {
            let ranks = QuantileInterval.ranks(of: count, quantile: quantile)
            let isFinite = ranks.lower >= 1 && ranks.upper <= count
            #expect(isFinite == (count >= QuantileInterval.minimumCount(quantile: quantile)))
        }
    }

    @Test func `an end among the timeouts is open`() throws {
        let answers = (1...60).map(Double.init)
        let distribution = EmpiricalDistribution(answers: answers, nonAnswers: 40, timeout: 5_000)
        let median = try #require(QuantileInterval.ends(of: distribution))
        #expect(median.lower == 40 && median.upper == nil)
        let tail = try #require(QuantileInterval.ends(of: distribution, quantile: 0.9))
        #expect(tail.lower == nil && tail.upper == nil)
        #expect(QuantileInterval.ends(of: distribution, quantile: 0.99) == nil)
    }

    @Test func `a tally's ends are the queries' within one percent`() throws {
        let answers = (1...300).map { Double($0 * $0) / 1000 + 5 }
        var tally = LatencyTally()
        for answer in answers { tally.insert(answer: answer) }
        let distribution = EmpiricalDistribution(answers: answers, nonAnswers: 0)
        for quantile in [0.5, 0.9, 0.95] {
            let exact = try #require(QuantileInterval.ends(of: distribution, quantile: quantile))
            let close = try #require(
                QuantileInterval.ends(of: tally, timeout: 5_000, quantile: quantile)
            )
            let lower = try #require(close.lower) / #require(exact.lower)
            let upper = try #require(close.upper) / #require(exact.upper)
            #expect(abs(lower - 1) < 0.01 && abs(upper - 1) < 0.01)
        }
    }
}
