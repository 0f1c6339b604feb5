#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension QuantileInterval {
    /// The fewest queries whose interval has two finite ends, where (1 − p)ⁿ and pⁿ are at most α/2:
    /// at 95 % 6 for the median, 36 for p90, 72 for p95 and 368 for p99.
    package static func minimumCount(quantile p: Double, alpha: Double = 0.05) -> Int {
        guard p > 0, p < 1, alpha > 0, alpha < 2 else { return .max }
        let count = (log(alpha / 2) / log(max(p, 1 - p))).rounded(.up)
        return Int(exactly: count) ?? .max
    }

    /// The ends of the interval of a quantile in milliseconds, each `nil` where it lies beyond the
    /// timeout; `nil` altogether below ``minimumCount(quantile:alpha:)``.
    package static func ends(
        of distribution: EmpiricalDistribution,
        quantile p: Double = 0.5,
        alpha: Double = 0.05
    ) -> (lower: Double?, upper: Double?)? {
        ends(count: distribution.count, quantile: p, alpha: alpha) { rank in
            rank <= distribution.answers.count ? distribution.answers[rank - 1] : nil
        }
    }

    /// The same of a tally of queries that all had this timeout, each end within 1 %.
    package static func ends(
        of tally: LatencyTally,
        timeout: Double,
        quantile p: Double = 0.5,
        alpha: Double = 0.05
    ) -> (lower: Double?, upper: Double?)? {
        let count = LatencySketch.sum(tally.answered, tally.nonAnswers)
        return ends(count: count, quantile: p, alpha: alpha) { rank in
            tally.quantile(Double(rank) / Double(count), timeout: timeout)
        }
    }

    private static func ends(
        count: Int,
        quantile p: Double,
        alpha: Double,
        orderStatistic: (Int) -> Double?
    ) -> (lower: Double?, upper: Double?)? {
        guard count >= minimumCount(quantile: p, alpha: alpha) else { return nil }
        let ranks = ranks(of: count, quantile: p, alpha: alpha)
        guard ranks.lower >= 1, ranks.upper <= count else { return nil }
        return (orderStatistic(ranks.lower), orderStatistic(ranks.upper))
    }
}
