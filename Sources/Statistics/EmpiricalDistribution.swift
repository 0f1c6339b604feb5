#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The distribution of a resolver's times: the answers in order, and how many lie beyond them.
///
/// With one timeout for all, this is the Kaplan–Meier estimate below it (Kaplan & Meier 1958).
package struct EmpiricalDistribution: Hashable, Sendable {
    /// Answers within the timeout, in milliseconds, ascending.
    package let answers: [Double]
    /// Queries without an answer, or with one after the timeout.
    package let beyond: Int

    /// Takes answers in milliseconds, in any order, and `nonAnswers` more queries. What is slower
    /// than `timeout`, or is no number, counts as beyond: where it lies among those that were not
    /// waited for is unknown.
    package init(answers: [Double], nonAnswers: Int, timeout: Double = .infinity) {
        let within = answers.filter { $0.isFinite && $0 <= timeout }
        beyond = max(0, nonAnswers) + answers.count - within.count
        self.answers = within.sorted()
    }

    /// Queries in all.
    package var count: Int { answers.count + beyond }

    /// The order statistic at ⌈n·p⌉ (type 1 of Hyndman & Fan 1996), in milliseconds; `nil` where it
    /// lies beyond the timeout, and without queries.
    package func quantile(_ p: Double) -> Double? {
        let rank = Self.rank(p, of: count)
        return rank >= 1 && rank <= answers.count ? answers[rank - 1] : nil
    }

    /// The share of queries that were answered within `milliseconds`, 0 to 1; `nil` without any.
    package func share(within milliseconds: Double) -> Double? {
        guard count > 0 else { return nil }
        return Double(answers.partitioningIndex { $0 > milliseconds }) / Double(count)
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

    /// Where the cumulative curve rises: from `milliseconds` on, `share` of the queries (0 to 1)
    /// were answered.
    package struct Step: Hashable, Sendable {
        package var milliseconds: Double
        package var share: Double
    }

    /// The cumulative curve as at most `limit` steps (at least 2), ascending; the first and the last
    /// one are always among them.
    ///
    /// A step is left out while it lies nearer than 2/(limit − 2) to the last one kept, along the
    /// two axes together, each taken as 1 long: that is how far the drawn curve can be off.
    /// `logarithmic` measures the axis of times by its logarithm.
    package func steps(limit: Int, logarithmic: Bool = false) -> [Step] {
        guard let first = answers.first, let last = answers.last else { return [] }
        let scale = { (value: Double) in
            logarithmic ? log(max(value, .leastNormalMagnitude)) : value
        }
        let width = scale(last) - scale(first)
        let nearest = 2 / Double(max(1, limit - 2))
        var steps: [Step] = []
        var kept = (position: -Double.infinity, share: 0.0)
        for (index, value) in answers.enumerated() {
            let isLast = index == answers.count - 1
            // Equal answers are one step, at the share of the last of them.
            if !isLast && answers[index + 1] == value { continue }
            let share = Double(index + 1) / Double(count)
            let position = width > 0 ? (scale(value) - scale(first)) / width : 0
            let distance = position - kept.position + share - kept.share
            guard isLast || distance >= nearest || limit >= answers.count else { continue }
            steps.append(Step(milliseconds: value, share: share))
            kept = (position, share)
        }
        if steps.count > max(2, limit) { steps.remove(at: steps.count - 2) }
        return steps
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
