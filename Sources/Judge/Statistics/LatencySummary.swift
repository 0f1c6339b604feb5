/// The speed of one resolver over a set of queries. All times in milliseconds.
///
/// Quantiles are of type 1 (Hyndman & Fan 1996: the order statistic at ⌈n·p⌉) over every query,
/// where one without an answer counts as beyond the timeout; `nil` is a quantile that lies there.
/// An answer that came after the timeout counts among the answered, with its own time in maximum,
/// deviation and jitter; for quantiles it is beyond the timeout, and the mean takes the timeout.
package struct LatencySummary: Hashable, Sendable {
    /// Queries in all, and those that were answered.
    package var count: Int
    package var answered: Int
    /// The timeout, in milliseconds: what the restricted mean counts for a non-answer.
    package var timeout: Double
    /// The least and the greatest time of an answer; `nil` without any.
    package var minimum: Double?
    package var maximum: Double?
    /// mean(min(x, timeout)) over every query; `nil` without any.
    package var restrictedMean: Double?
    package var median: Double?
    /// To 95 %; `nil` of a ``LatencyTally``.
    package var medianInterval: ClosedRange<Double>?
    package var p5: Double?
    package var p25: Double?
    package var p75: Double?
    package var p90: Double?
    package var p95: Double?
    package var p99: Double?
    /// Whether it is of fewer rounds than those of others: of the quantiles only the median is known,
    /// from the paired differences to one that was measured in all.
    package private(set) var isOfFewRounds = false
    /// Sample standard deviation of answers; `nil` below two.
    package var standardDeviation: Double?
    /// Mean absolute difference of successive answers; `nil` below two.
    package var jitter: Double?

    /// Summarises `answers`, milliseconds in the order of sending, and `nonAnswers` more queries.
    /// A time that is not finite is no answer.
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

    /// Keeps of the quantiles the median, as it would be over the rounds of the others; `nil` where it
    /// is not known.
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

    /// In two passes: the difference of two large sums of squares would lose the digits.
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

/// Everything that a summary of one resolver's speed needs, in little space: tallies of parts add
/// up to the tally of the whole. Times in milliseconds.
package struct LatencyTally: Hashable, Sendable {
    package var sketch = LatencySketch()
    /// Queries that were answered, and those that were not.
    package var answered = 0
    package var nonAnswers = 0
    /// The least and the greatest time of an answer; `nil` without any.
    package var minimum: Double?
    package var maximum: Double?
    /// The sums of the answers' times and of their squares.
    package var sum = 0.0
    package var sumOfSquares = 0.0
    /// The sum of the absolute differences of successive answers, and how many there are.
    package var differenceSum = 0.0
    package var differences = 0

    package init() {}

    package var count: Int { LatencySketch.sum(answered, nonAnswers) }

    /// Counts an answer, which came after `previous`; a time that is not finite is no answer.
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

    /// Counts what a query says of speed; its answer came after `previous`.
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

    /// The quantile of all queries, one without an answer beyond the timeout, within 1 %; `nil`
    /// where it lies beyond `timeout`.
    package func quantile(_ p: Double, timeout: Double = .infinity) -> Double? {
        guard let minimum, let maximum, let estimate = sketch.quantile(p, beyond: nonAnswers)
        else { return nil }
        let value = min(max(estimate, minimum), maximum)
        return value <= timeout ? value : nil
    }

    /// The summary of these queries, which all had this timeout: quantiles within 1 %, all else
    /// exact but for what answers after the timeout add.
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
