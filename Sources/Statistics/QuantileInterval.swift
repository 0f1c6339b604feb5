#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A distribution-free interval of a quantile from two order statistics (David & Nagaraja, Order
/// Statistics, §7.1; Thompson 1936).
package enum QuantileInterval {
    /// The ranks of the two, from 1: 0 stands for no lower end, `count` + 1 for no upper one.
    package static func ranks(
        of count: Int,
        quantile p: Double = 0.5,
        alpha: Double = 0.05
    ) -> (lower: Int, upper: Int) {
        guard count > 0, p > 0, p < 1 else { return (0, max(0, count) + 1) }
        // P(Bin(n, p) ≤ k), from term to term in logarithms: (1 − p)ⁿ may be too small to write.
        var logTerm = Double(count) * log1p(-p)
        var below = 0.0
        var lower = 0
        var upper = count + 1
        for k in 0...count {
            let through = below + exp(logTerm)
            if through <= alpha / 2 { lower = k + 1 }
            if 1 - below <= alpha / 2 {
                upper = k
                break
            }
            below = through
            guard k < count else { break }
            logTerm += log(Double(count - k) / Double(k + 1)) + log(p) - log1p(-p)
        }
        return (lower, upper)
    }

    /// The interval of the median of `values`; `nil` where they are too few, below six.
    package static func ofMedian(_ values: [Double], alpha: Double = 0.05) -> ClosedRange<Double>? {
        let (lower, upper) = ranks(of: values.count, alpha: alpha)
        guard lower >= 1, upper <= values.count, lower <= upper else { return nil }
        let sorted = values.sorted()
        guard sorted[lower - 1] <= sorted[upper - 1] else { return nil }
        return sorted[lower - 1]...sorted[upper - 1]
    }

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
        ends(count: tally.count, quantile: p, alpha: alpha) { rank in
            tally.quantile(Double(rank) / Double(tally.count), timeout: timeout)
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

extension Collection where Element == Double {
    /// The middle one, or the mean of the two in the middle; `nil` without any.
    package var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The mean of the middle half, which steadies a median without heeding the tails; `nil` without
    /// any.
    var interquartileMean: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted[(sorted.count / 4)..<(sorted.count - sorted.count / 4)]
        return middle.reduce(0, +) / Double(middle.count)
    }
}
