/// The distribution of a resolver's times: the answers in order, and how many lie beyond them. With
/// one timeout for all, this is the Kaplan–Meier estimate below it (Kaplan & Meier 1958).
package struct EmpiricalDistribution: Hashable, Sendable {
    /// Answers within the timeout, in milliseconds, ascending.
    package let answers: [Double]
    /// Queries without an answer, or with one after the timeout.
    package let beyond: Int

    /// Takes answers in milliseconds, in any order, and `nonAnswers` more queries. What is slower
    /// than `timeout`, or is no number, counts as beyond: where it lies among those that were not
    /// waited for is unknown.
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

    /// The order statistic at ⌈n·p⌉ (type 1 of Hyndman & Fan 1996), in milliseconds; `nil` where it
    /// lies beyond the timeout, and without queries.
    package func quantile(_ p: Double) -> Double? {
        let rank = Self.rank(p, of: count)
        return rank >= 1 && rank <= answers.count ? answers[rank - 1] : nil
    }

    /// The interval of the median, to 95 %, infinite above where it may lie beyond the timeout; `nil`
    /// where the queries are too few, below six.
    package var medianInterval: ClosedRange<Double>? {
        QuantileInterval.ofMedian(of: count) { $0 <= answers.count ? answers[$0 - 1] : .infinity }
    }

    /// ⌈n·p⌉, at least 1, with p held within 0…1. A product that rounding put beside a whole number
    /// is that number: 0.07 · 100 is 7, not 7.000000000000001.
    static func rank(_ p: Double, of count: Int) -> Int {
        guard count > 0, !p.isNaN else { return 0 }
        let exact = Double(count) * min(max(p, 0), 1)
        let nearest = exact.rounded()
        let whole = abs(exact - nearest) <= 1e-9 * max(1, exact) ? nearest : exact.rounded(.up)
        return max(1, min(count, Int(exactly: whole) ?? count))
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first index at which `isInSecond` holds, which it then does up to the end.
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
