/// The distribution of a resolver's times: the sorted answers, and the number of queries beyond them.
///
/// If all queries have one timeout, this is the Kaplan–Meier estimate below it (Kaplan & Meier 1958).
package struct EmpiricalDistribution: Hashable, Sendable {
    /// Answers within the timeout, in milliseconds, ascending.
    package let answers: [Double]
    /// The number of queries without an answer, or with an answer after the timeout.
    package let beyond: Int

    /// Creates a distribution of answers in milliseconds, in any order, and of `nonAnswers` more queries.
    ///
    /// An answer slower than `timeout` counts as beyond, and so does a value that is not finite. Its rank
    /// among the unanswered queries is unknown.
    package init(
        answers: consuming [Double],
        nonAnswers: Int,
        timeout: Double = .infinity
    ) {
        let count = answers.count
        answers.removeAll { !$0.isFinite || $0 > timeout }
        beyond = max(0, nonAnswers) + count - answers.count
        answers.sort()
        self.answers = answers
    }

    package var count: Int { answers.count + beyond }

    /// The order statistic at ⌈n·p⌉ (type 1 of Hyndman & Fan 1996), in milliseconds; `nil` beyond the
    /// timeout, and without queries.
    package func quantile(_ p: Double) -> Double? {
        let rank = Self.rank(p, of: count)
        return rank >= 1 && rank <= answers.count ? answers[rank - 1] : nil
    }

    /// The 95 % interval of the median. Its upper end is infinite if it may lie beyond the timeout. `nil`
    /// with fewer than six queries.
    package var medianInterval: ClosedRange<Double>? {
        QuantileInterval.ofMedian(of: count) { $0 <= answers.count ? answers[$0 - 1] : .infinity }
    }

    /// Returns ⌈n·p⌉, at least 1. `p` is clamped to 0…1.
    ///
    /// A product that rounding moved off a whole number counts as the whole number: 0.07 · 100 is 7, not
    /// 7.000000000000001.
    static func rank(_ p: Double, of count: Int) -> Int {
        guard count > 0, !p.isNaN else { return 0 }
        let exact = Double(count) * min(max(p, 0), 1)
        let nearest = exact.rounded()
        let whole = abs(exact - nearest) <= 1e-9 * max(1, exact) ? nearest : exact.rounded(.up)
        return max(1, min(count, Int(exactly: whole) ?? count))
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index at which `isInSecond` holds. The predicate must hold for all later elements too.
    package func partitioningIndex(_ isInSecond: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
