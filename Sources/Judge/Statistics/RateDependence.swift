import LibC

/// A test whether queries fail because they are sent too fast, as under a token bucket (RFC 2697 §3, with one
/// rate), or at random.
///
/// Two quantities precede each query: the time since the last answered query, and the number of queries in
/// the second before. Under loss that is independent of the rate, neither predicts a failure. Under a
/// limit, failures follow short times and high counts. The score of each, centred within each name, has
/// the variance of its permutations within names (Mantel 1963; Hájek, Šidák & Sen, Theory of Rank Tests,
/// §3.3). Centring within names separates failures of single names, such as answers too large for UDP.
/// Losses in bursts make failures follow long times, so they weaken the first score and do not raise it.
/// The second score finds limits that refill between rounds. It counts only where nearly all of several
/// rounds agree, since one outage may raise it.
package struct RateDependence: Hashable, Sendable {
    /// One query, in the order of sending.
    package struct Query: Hashable, Sendable {
        /// The time of sending, in nanoseconds.
        package var departure: Int64
        /// The number of its question.
        package var question: Int32
        package var failed: Bool

        package init(departure: Int64, question: Int32, failed: Bool) {
            (self.departure, self.question, self.failed) = (departure, question, failed)
        }
    }

    /// Standard scores. They are positive if failures follow short times or high counts.
    package let scoreOfTime: Double
    package let scoreOfCount: Double
    /// The number of queries from the first failure on, and of the failed queries among them.
    package let queries: Int
    package let failed: Int
    /// Answered queries per second from the first failure on. Pauses over ``longestTime`` are excluded.
    package let answersPerSecond: Double?

    /// The minimum number of failures, and of answers, for the normal approximation.
    package static let least = 5
    /// The threshold of both scores. With it, fewer than 5 in 1,000 runs with independent failures are false
    /// positives. It was simulated, because rare failures have heavier tails than the normal distribution.
    package static let threshold = 3.7
    /// Seconds. Longer times count as this, because every bucket is full by then.
    private static let longestTime = 10.0
    /// Nanoseconds. A query after a longer pause begins another segment.
    private static let pause: Int64 = 2_000_000_000

    /// Returns `nil` with too few failures, or with too few answers from the first failure on.
    package init?(of all: [Query]) {
        guard let first = all.firstIndex(where: \.failed) else { return nil }
        let rest = all[first...]
        queries = rest.count
        failed = rest.count { $0.failed }
        guard failed >= Self.least, queries - failed >= Self.least else { return nil }
        var lastAnswer = all[..<first].last(where: { !$0.failed })?.departure
        var second = first
        while second > 0, all[first].departure - all[second - 1].departure < 1_000_000_000 {
            second -= 1
        }
        var (times, counts) = (Strata(of: rest), Strata(of: rest))
        var (active, answers, segment) = (0.0, 0, 0)
        for index in rest.indices {
            let query = all[index]
            if index > first, query.departure - all[index - 1].departure > Self.pause {
                segment += 1
            }
            while all[index].departure - all[second].departure >= 1_000_000_000 { second += 1 }
            counts.add(query, Double(index - second), in: segment)
            if let lastAnswer {
                let time = Double(query.departure - lastAnswer) * 1e-9
                times.add(query, -log2(min(max(time, 1e-3), Self.longestTime)))
            }
            if index > first {
                let gap = Double(query.departure - all[index - 1].departure) * 1e-9
                if gap <= Self.longestTime { active += gap }
            }
            if !query.failed { (lastAnswer, answers) = (query.departure, answers + 1) }
        }
        scoreOfTime = times.score
        scoreOfCount = counts.areAgreed ? counts.score : 0
        answersPerSecond = active > 0 ? Double(answers) / active : nil
    }

    /// Whether short times or high counts before failures are more than chance.
    package var isLimit: Bool { max(scoreOfTime, scoreOfCount) >= Self.threshold }
}

/// A score that is summed within names.
private struct Strata {
    private struct Sum {
        var (count, failed, value, square, product) = (0.0, 0.0, 0.0, 0.0, 0.0)

        mutating func add(_ isFailed: Bool, _ value: Double) {
            count += 1
            self.value += value
            square += value * value
            if isFailed { (failed, product) = (failed + 1, product + value) }
        }

        /// Positive if failures have high values.
        var score: Double { product - failed * value / count }
    }

    /// The minimum number of queries for a stratum. Rarer questions share one stratum.
    private static let least = 4
    private static let fewestSegments = 5

    private let isOwn: [Int32: Bool]
    private var sums: [Int32: Sum] = [:]
    /// The sums per segment number.
    private var segments: [Int: Sum] = [:]

    init(of queries: ArraySlice<RateDependence.Query>) {
        var counts: [Int32: Int] = [:]
        for query in queries { counts[query.question, default: 0] += 1 }
        isOwn = counts.mapValues { $0 >= Self.least }
    }

    mutating func add(_ query: RateDependence.Query, _ value: Double, in segment: Int = 0) {
        let stratum = isOwn[query.question] == true ? query.question : -1
        sums[stratum, default: Sum()].add(query.failed, value)
        segments[segment, default: Sum()].add(query.failed, value)
    }

    /// Whether failures have high values in nearly all segments that have failures and answers.
    var areAgreed: Bool {
        let scores = segments.values.map(\.score).filter { $0 != 0 }
        return scores.count >= Self.fewestSegments
            && 10 * scores.count { $0 > 0 } >= 9 * scores.count
    }

    /// The standard score of all strata; 0 if the values do not vary.
    var score: Double {
        var (total, variance) = (0.0, 0.0)
        for stratum in sums.keys.sorted() {
            guard let sum = sums[stratum], sum.count > 1 else { continue }
            total += sum.score
            let spread = max(0, sum.square - sum.value * sum.value / sum.count)
            variance += sum.failed * (sum.count - sum.failed) / sum.count / (sum.count - 1) * spread
        }
        return variance > 0 ? total / variance.squareRoot() : 0
    }
}
