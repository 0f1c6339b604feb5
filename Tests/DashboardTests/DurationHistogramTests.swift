import Foundation
import Statistics
import Testing

@testable import Dashboard

@Suite struct DurationHistogramTests {
    /// Pseudo-random times in milliseconds, from `low` over `decades` decades.
    private func times(_ count: Int, from low: Double, decades: Double) -> [Double] {
        (1...count).map { index in
            let noise = (Double(index) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
            return low * pow(10, noise * decades)
        }
    }

    private func tally(_ times: [Double], nonAnswers: Int = 0) -> LatencyTally {
        var tally = LatencyTally()
        for time in times { tally.insert(answer: time) }
        for _ in 0..<nonAnswers { tally.insertNonAnswer() }
        return tally
    }

    @Test func `the labels are the bounds in seconds`() throws {
        #expect(DurationHistogram.labels.count == DurationHistogram.bounds.count)
        for (label, bound) in zip(DurationHistogram.labels, DurationHistogram.bounds) {
            let seconds = try #require(Double(label))
            #expect(abs(seconds * 1000 / bound - 1) < 1e-12)
        }
        for (lower, upper) in zip(DurationHistogram.bounds, DurationHistogram.bounds.dropFirst()) {
            #expect(lower < upper && upper / lower < 1.2801)
        }
    }

    @Test(arguments: [(low: 0.2, decades: 1.0), (3, 2), (0.05, 5)])
    func `each bound counts the times up to it, within 1 percent`(low: Double, decades: Double) {
        let times = times(5_000, from: low, decades: decades)
        var histogram = DurationHistogram()
        histogram.add(tally(times), timeout: 1e6)
        for (bound, count) in zip(DurationHistogram.bounds, histogram.cumulative) {
            #expect(count >= times.count { $0 <= bound * 0.99 })
            #expect(count <= times.count { $0 <= bound * 1.0101 })
        }
        #expect(histogram.total == times.count)
    }

    @Test func `a query without an answer in time exceeds every bucket`() {
        var histogram = DurationHistogram()
        // The last answer arrived after the timeout, which is possible in an imported file.
        histogram.add(tally([10, 20, 700], nonAnswers: 2), timeout: 500)
        #expect(histogram.cumulative.last == 2)
        #expect(histogram.total == 5)
        // The sum is 10 + 20 ms and three timeouts. It equals the mean of a report times its queries.
        #expect(abs(histogram.sum - 1.530) < 0.007)
    }

    @Test func `parts with different timeouts are added`() {
        var histogram = DurationHistogram()
        histogram.add(tally([10], nonAnswers: 1), timeout: 1000)
        let first = histogram
        histogram.add(tally([300], nonAnswers: 1), timeout: 5000)
        #expect(zip(first.cumulative, histogram.cumulative).allSatisfy { $0 <= $1 })
        #expect(histogram.total == 4)
        #expect(abs(histogram.sum - 6.310) < 1e-9)
    }
}
