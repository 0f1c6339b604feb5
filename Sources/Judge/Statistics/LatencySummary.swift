/// The speed of one resolver over a set of queries. All times are in milliseconds.
///
/// Quantiles are of type 1 (Hyndman & Fan 1996: the order statistic at ⌈n·p⌉) over every query. A query
/// without an answer counts as beyond the timeout. A quantile beyond the timeout is `nil`.
///
/// An answer after the timeout counts as answered. Its own time enters maximum, deviation and jitter. In
/// quantiles it is beyond the timeout, and in the mean it counts as the timeout.
package struct LatencySummary: Hashable, Sendable {
    /// The number of all queries, and of the answered queries.
    package var count: Int
    package var answered: Int
    /// The timeout in milliseconds. A query without an answer counts as the timeout in the restricted mean.
    package var timeout: Double
    /// The shortest and the longest time of an answer; `nil` without answers.
    package var minimum: Double?
    package var maximum: Double?
    /// mean(min(x, timeout)) over every query; `nil` without queries.
    package var restrictedMean: Double?
    package var median: Double?
    /// The 95 % interval; `nil` in the summary of a ``LatencyTally``.
    package var medianInterval: ClosedRange<Double>?
    package var p5: Double?
    package var p25: Double?
    package var p75: Double?
    package var p90: Double?
    package var p95: Double?
    package var p99: Double?
    /// Whether this resolver was measured in fewer rounds than others. Then only the median is known. It is
    /// estimated from the paired differences to a resolver that was measured in all rounds.
    package private(set) var isOfFewRounds = false
    /// The sample standard deviation of the answers; `nil` with fewer than two.
    package var standardDeviation: Double?
    /// The mean absolute difference of successive answers; `nil` with fewer than two.
    package var jitter: Double?

    /// Summarises `answers`, in milliseconds and in the order of sending, and `nonAnswers` more queries.
    ///
    /// A time that is not finite counts as no answer.
    package init(answers times: consuming [Double], nonAnswers: Int, timeout: Double) {
        let all = times.count
        times.removeAll { !$0.isFinite }
        let silent = max(0, nonAnswers) + all - times.count
        count = times.count + silent
        answered = times.count
        self.timeout = timeout
        minimum = times.min()
        maximum = times.max()
        restrictedMean = Self.restrictedMean(of: times, silent: silent, timeout: timeout)
        standardDeviation = Self.standardDeviation(of: times)
        jitter = Self.jitter(of: times)
        let curve = EmpiricalDistribution(
            answers: consume times,
            nonAnswers: silent,
            timeout: timeout
        )
        takeQuantiles(curve.quantile)
        medianInterval = curve.medianInterval
    }

    /// Combines the summaries of several places; `nil` without places. Each figure is the median of the places'
    /// figures, because pooled times would show which place measured when. Only counts are sums.
    package init?(ofPlaces places: [LatencySummary]) {
        guard var whole = places.first else { return nil }
        func median(_ figure: KeyPath<LatencySummary, Double?>) -> Double? {
            let found = PlacesQuantile(0.5, of: places.map { $0[keyPath: figure] ?? .infinity })?
                .value
            return found.flatMap { $0.isFinite ? $0 : nil }
        }
        let figures: [WritableKeyPath<LatencySummary, Double?>] = [
            \.minimum, \.maximum, \.restrictedMean, \.p5, \.p25, \.median, \.p75, \.p90, \.p95,
            \.p99,
            \.standardDeviation, \.jitter,
        ]
        for figure in figures { whole[keyPath: figure] = median(figure) }
        whole.count = places.reduce(0) { $0 + $1.count }
        whole.answered = places.reduce(0) { $0 + $1.answered }
        whole.timeout = places.map(\.timeout).max() ?? whole.timeout
        whole.medianInterval = nil
        self = whole
    }

    /// Removes all quantiles except the median. The median is replaced by its estimate over the rounds of the
    /// other resolvers; `nil` if it is unknown.
    package mutating func limit(toMedian median: Double?, _ interval: ClosedRange<Double>?) {
        isOfFewRounds = true
        (p5, p25, p75, p90, p95, p99) = (nil, nil, nil, nil, nil, nil)
        (self.median, medianInterval) = (median, interval)
    }

    fileprivate mutating func takeQuantiles(_ quantile: (Double) -> Double?) {
        p5 = quantile(0.05)
        p25 = quantile(0.25)
        median = quantile(0.5)
        p75 = quantile(0.75)
        p90 = quantile(0.90)
        p95 = quantile(0.95)
        p99 = quantile(0.99)
    }

    private static func restrictedMean(
        of times: [Double],
        silent: Int,
        timeout: Double
    ) -> Double? {
        let count = times.count + silent
        guard count > 0 else { return nil }
        let waited = silent > 0 ? Double(silent) * timeout : 0
        return (times.reduce(0) { $0 + min($1, timeout) } + waited) / Double(count)
    }

    /// Two passes, because the difference of two large sums of squares would lose digits.
    private static func standardDeviation(of times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        let mean = times.reduce(0, +) / Double(times.count)
        let squares = times.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(times.count - 1)).squareRoot()
    }

    private static func jitter(of times: [Double]) -> Double? {
        guard times.count >= 2 else { return nil }
        let sum = zip(times, times.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
        return sum / Double(times.count - 1)
    }
}

/// The counts and sums for a summary of one resolver's speed, in a small space.
///
/// The tallies of parts can be merged into the tally of the whole. Times are in milliseconds.
package struct LatencyTally: Hashable, Sendable {
    package var sketch = LatencySketch()
    /// The number of answered queries, and of queries without an answer.
    package var answered = 0
    package var nonAnswers = 0
    /// The shortest and the longest time of an answer; `nil` without answers.
    package var minimum: Double?
    package var maximum: Double?
    /// The sum of the answers' times, and the sum of their squares.
    package var sum = 0.0
    package var sumOfSquares = 0.0
    /// The sum of the absolute differences of successive answers, and the number of differences.
    package var differenceSum = 0.0
    package var differences = 0

    package init() {}

    package var count: Int { LatencySketch.sum(answered, nonAnswers) }

    /// Counts an answer, which followed the answer `previous`. A time that is not finite counts as no answer.
    package mutating func insert(answer: Double, after previous: Double? = nil) {
        guard answer.isFinite else { return insertNonAnswer() }
        sketch.insert(answer)
        answered += 1
        minimum = min(minimum ?? answer, answer)
        maximum = max(maximum ?? answer, answer)
        sum += answer
        sumOfSquares += answer * answer
        guard let previous, previous.isFinite else { return }
        differenceSum += abs(answer - previous)
        differences += 1
    }

    package mutating func insertNonAnswer() { nonAnswers += 1 }

    /// Counts the outcome of a query. `previous` is the time of the answer before.
    package mutating func insert(_ outcome: QueryOutcome, after previous: Double? = nil) {
        switch outcome {
        case .answered(let time): insert(answer: time, after: previous)
        case .failed: insertNonAnswer()
        case .missing: break
        }
    }

    package mutating func merge(_ other: LatencyTally) {
        sketch.merge(other.sketch)
        answered = LatencySketch.sum(answered, other.answered)
        nonAnswers = LatencySketch.sum(nonAnswers, other.nonAnswers)
        if let least = other.minimum { minimum = min(minimum ?? least, least) }
        if let most = other.maximum { maximum = max(maximum ?? most, most) }
        sum += other.sum
        sumOfSquares += other.sumOfSquares
        differenceSum += other.differenceSum
        differences = LatencySketch.sum(differences, other.differences)
    }

    /// Returns a quantile of all queries, within 1 %. A query without an answer is beyond the timeout. `nil`
    /// if the quantile is beyond `timeout`.
    package func quantile(_ p: Double, timeout: Double = .infinity) -> Double? {
        guard let minimum, let maximum, let estimate = sketch.quantile(p, beyond: nonAnswers)
        else { return nil }
        let value = min(max(estimate, minimum), maximum)
        return value <= timeout ? value : nil
    }

    /// Returns the summary of these queries, which all had this timeout.
    ///
    /// Quantiles are within 1 %. All other figures are exact, except for the contribution of answers after
    /// the timeout.
    package func summary(timeout: Double) -> LatencySummary {
        var summary = LatencySummary(answers: [], nonAnswers: nonAnswers, timeout: timeout)
        summary.count = count
        summary.answered = answered
        summary.minimum = minimum
        summary.maximum = maximum
        if summary.count > 0 {
            let late = (maximum ?? 0) > timeout ? sketch.excess(over: timeout) : 0
            let waited = nonAnswers > 0 ? Double(nonAnswers) * timeout : 0
            summary.restrictedMean = (sum - late + waited) / Double(summary.count)
        }
        summary.takeQuantiles { quantile($0, timeout: timeout) }
        summary.medianInterval = nil
        if answered >= 2 {
            let squares = sumOfSquares - sum * sum / Double(answered)
            summary.standardDeviation = (max(0, squares) / Double(answered - 1)).squareRoot()
        }
        if differences > 0 { summary.jitter = differenceSum / Double(differences) }
        return summary
    }
}
