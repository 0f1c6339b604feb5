import LibC

/// A distribution-free interval of a quantile from two order statistics (David & Nagaraja, Order
/// Statistics, §7.1; Thompson 1936).
package enum QuantileInterval {
    private static let usualAlpha = 0.05

    /// Returns the ranks of the two order statistics, from 1. Rank 0 means no lower end, `count` + 1 no upper
    /// end. The confidence is 1 − `alpha` or more.
    package static func ranks(
        of count: Int,
        quantile p: Double = 0.5,
        alpha: Double = usualAlpha
    ) -> (lower: Int, upper: Int) {
        guard count > 0, p > 0, p < 1 else { return (0, max(0, count) + 1) }
        // P(Bin(n, p) ≤ k), term by term in logarithms, because (1 − p)ⁿ may underflow.
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

    /// Returns the highest quantile whose interval has an upper end with `count` values: all values lie below
    /// that quantile with a probability of 2.5 %. `nil` without values.
    ///
    /// The quantile 0.95 requires 72 values, 0.99 requires 368.
    package static func highestQuantile(of count: Int) -> Double? {
        count > 0 ? exp(log(usualAlpha / 2) / Double(count)) : nil
    }

    /// Returns the minimum number of values for an interval with both ends: 6 for the quantile 0.5, 72 for
    /// 0.05 and 0.95, 368 for 0.99. `p` is above 0 and below 1.
    package static func fewestValues(forQuantile p: Double) -> Int {
        Int((log(usualAlpha / 2) / log(max(p, 1 - p))).rounded(.up))
    }

    /// Returns the interval of the median of `values`; `nil` with fewer than six values.
    package static func ofMedian(_ values: [Double]) -> ClosedRange<Double>? {
        let sorted = values.sorted()
        return ofMedian(of: sorted.count) { sorted[$0 - 1] }
    }

    /// Returns the interval of the median of `count` values. `statistic` returns the value at a rank, from 1.
    static func ofMedian(
        of count: Int,
        _ statistic: (Int) -> Double
    ) -> ClosedRange<Double>? {
        let (lower, upper) = ranks(of: count)
        guard lower >= 1, upper <= count, lower <= upper else { return nil }
        let (low, high) = (statistic(lower), statistic(upper))
        return low <= high ? low...high : nil
    }
}

extension Collection where Element == Double {
    /// The sum, added in ascending order. It is bit-identical for every order of the terms.
    var sum: Double { sorted().reduce(0, +) }

    /// The mean; `nil` without values.
    package var mean: Double? { isEmpty ? nil : sum / Double(count) }

    /// The middle value, or the mean of the two middle values; `nil` without values.
    package var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The middle value, or the lower of the two middle values, because a time and a loss have no mean. `nil`
    /// without values.
    package var lowerMedian: Double? { isEmpty ? nil : sorted()[(count - 1) / 2] }

    /// The mean of the middle half. It is steadier than the median and ignores the tails.
    var interquartileMean: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted[(sorted.count / 4)..<(sorted.count - sorted.count / 4)]
        return middle.reduce(0, +) / Double(middle.count)
    }
}
