import Statistics
import Testing

struct LatencySummaryTests {
    /// A fixed list of a thousand times from 10 to 110 ms (a linear congruential generator).
    private static let times: [Double] = {
        var state = 12_345
        return (0..<1000).map { _ in
            state = (state * 1_103_515_245 + 12_345) % (1 << 31)
            return 10 + Double(state % 100_000) / 1000
        }
    }()

    private typealias Golden = (
        answers: Int, silent: Int, mean: Double, deviation: Double, jitter: Double,
        quantiles: [Double?]
    )

    @Test func `a summary of five answers equals the manual calculation`() throws {
        let summary = LatencySummary(
            answers: [12, 9.5, 30, 11, 14.5],
            nonAnswers: 0,
            timeout: 5000
        )
        #expect(summary.count == 5)
        #expect(summary.answered == 5)
        #expect(summary.minimum == 9.5)
        #expect(summary.maximum == 30)
        #expect(summary.restrictedMean == 15.4)
        #expect(summary.p5 == 9.5)
        #expect(summary.p25 == 11)
        #expect(summary.median == 12)
        #expect(summary.p75 == 14.5)
        #expect(summary.p90 == 30)
        // |9.5 − 12| + |30 − 9.5| + |11 − 30| + |14.5 − 11|, divided by four.
        #expect(summary.jitter == 11.375)
        #expect(abs(try #require(summary.standardDeviation) - 8.362116956847709) < 1e-12)
    }

    // Computed with Python: sorted(), statistics.stdev and integer ranks.
    @Test(
        arguments: [
            (
                answers: 1000, silent: 0, mean: 60.10965999999998, deviation: 28.64738886728271,
                jitter: 34.07972872872869,
                quantiles: [14.222000000000001, 35.307, 61.394, 84.616, 99.244, 104.359, 108.458]
            ),
            (
                answers: 980, silent: 20, mean: 158.79099799999997, deviation: 28.635634959404936,
                jitter: 33.924901940755845,
                quantiles: [14.589, 35.995999999999995, 62.134, 85.459, 100.892, 106.587, nil]
            ),
            (
                answers: 950, silent: 51, mean: 311.83115584415583, deviation: 28.72819726359754,
                jitter: 33.855531085352986,
                quantiles: [15.536, 36.665, 63.562, 87.918, 104.275, nil, nil]
            ),
        ] as [Golden]
    )
    func `a thousand queries give the figures of Python`(
        answers: Int,
        silent: Int,
        mean: Double,
        deviation: Double,
        jitter: Double,
        quantiles: [Double?]
    ) throws {
        let summary = LatencySummary(
            answers: Array(Self.times.prefix(answers)),
            nonAnswers: silent,
            timeout: 5000
        )
        #expect(abs(try #require(summary.restrictedMean) - mean) < 1e-9)
        #expect(abs(try #require(summary.standardDeviation) - deviation) < 1e-9)
        #expect(abs(try #require(summary.jitter) - jitter) < 1e-9)
        let found = [
            summary.p5, summary.p25, summary.median, summary.p75, summary.p90, summary.p95,
            summary.p99,
        ]
        #expect(found == quantiles)
    }

    @Test(arguments: [
        (failed: 2, p95: true, p99: false), (failed: 5, p95: true, p99: false),
        (failed: 6, p95: false, p99: false), (failed: 1, p95: true, p99: true),
    ])
    func `losses move quantiles beyond the timeout`(failed: Int, p95: Bool, p99: Bool) {
        let answers = [Double](repeating: 20, count: 100 - failed)
        let summary = LatencySummary(answers: answers, nonAnswers: failed, timeout: 2000)
        #expect((summary.p95 != nil) == p95)
        #expect((summary.p99 != nil) == p99)
        #expect(summary.restrictedMean == (20 * Double(100 - failed) + 2000 * Double(failed)) / 100)
    }

    @Test func `a late answer counts as answered, but is beyond the timeout in quantiles`() {
        let summary = LatencySummary(answers: [10, 5001.5], nonAnswers: 0, timeout: 5000)
        #expect(summary.answered == 2)
        #expect(summary.median == 10)
        #expect(summary.p75 == nil)
        #expect(summary.restrictedMean == 2505)
        #expect(summary.maximum == 5001.5)
        #expect(summary.jitter == 4991.5)
    }

    @Test func `without answers, only the timeout is known`() {
        let silent = LatencySummary(answers: [], nonAnswers: 3, timeout: 5000)
        #expect(silent.count == 3)
        #expect(silent.restrictedMean == 5000)
        #expect(silent.median == nil && silent.minimum == nil && silent.jitter == nil)
        let none = LatencySummary(answers: [], nonAnswers: 0, timeout: 5000)
        #expect(none.restrictedMean == nil && none.median == nil)
        let one = LatencySummary(answers: [7], nonAnswers: 0, timeout: 5000)
        #expect(one.p5 == 7 && one.p99 == 7)
        #expect(one.standardDeviation == nil && one.jitter == nil)
    }

    @Test func `a time that is not finite is no answer`() {
        let summary = LatencySummary(
            answers: [.nan, 8, .infinity, -.infinity],
            nonAnswers: -2,
            timeout: 5000
        )
        #expect(summary.count == 4)
        #expect(summary.answered == 1)
        #expect(summary.p25 == 8)
        #expect(summary.median == nil)
    }
}
