import LibC

/// A distribution-free interval of a quantile from two order statistics (David & Nagaraja, Order
/// Statistics, §7.1; Thompson 1936).
package enum QuantileInterval {
    private static let alpha = 0.05

    /// The ranks of the two, from 1: 0 stands for no lower end, `count` + 1 for no upper one.
    package static func ranks(of count: Int, quantile p: Double = 0.5) -> (lower: Int, upper: Int) {
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

    /// The highest quantile whose interval has an upper end in `count` values: that of the greatest,
    /// where all lie below it with a probability of 2.5 %. 0.95 takes 72, 0.99 takes 368; `nil` of none.
    package static func highestQuantile(of count: Int) -> Double? {
        count > 0 ? exp(log(alpha / 2) / Double(count)) : nil
    }

    /// The fewest values in which the interval of a quantile `p`, above 0 and below 1, has both ends: 6 for
    /// 0.5, 72 for 0.05 and 0.95, 368 for 0.99.
    package static func fewestValues(forQuantile p: Double) -> Int {
        Int((log(alpha / 2) / log(max(p, 1 - p))).rounded(.up))
    }

    /// The interval of the median of `values`; `nil` where they are too few, below six.
    package static func ofMedian(_ values: [Double]) -> ClosedRange<Double>? {
        let sorted = values.sorted()
        return ofMedian(of: sorted.count) { sorted[$0 - 1] }
    }

    /// The same of `count` values, of which `statistic` gives that of a rank from 1 on.
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
    /// The sum, taken by size: in whatever order the terms come, it is the same to the last bit.
    var sum: Double { sorted().reduce(0, +) }

    /// The mean, of ``sum``; `nil` without any.
    package var mean: Double? { isEmpty ? nil : sum / Double(count) }

    /// The middle one, or the mean of the two in the middle; `nil` without any.
    package var median: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The middle one, of two the lower: between a time and a loss there is no middle. `nil` without any.
    package var lowerMedian: Double? { isEmpty ? nil : sorted()[(count - 1) / 2] }

    /// The mean of the middle half, which steadies a median without heeding the tails.
    var interquartileMean: Double? {
        guard !isEmpty else { return nil }
        let sorted = sorted()
        let middle = sorted[(sorted.count / 4)..<(sorted.count - sorted.count / 4)]
        return middle.reduce(0, +) / Double(middle.count)
    }
}
