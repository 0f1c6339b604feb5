/// Everything that a summary of one resolver's speed needs, in little space: tallies of parts add
/// up to the tally of the whole. Times in milliseconds.
package struct LatencyTally: Hashable, Sendable {
    package var sketch = LatencySketch()
    /// Queries that were answered, and those that were not.
    package var answered = 0
    package var nonAnswers = 0
    /// Of answers; `nil` without any.
    package var minimum: Double?
    package var maximum: Double?
    /// Of answers.
    package var sum = 0.0
    package var sumOfSquares = 0.0
    /// The sum of the absolute differences of successive answers, and how many there are.
    package var differenceSum = 0.0
    package var differences = 0

    package init() {}

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

    /// Counts a query without an answer.
    package mutating func insertNonAnswer() { nonAnswers += 1 }

    /// Counts what `other` has counted.
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
        summary.count = LatencySketch.sum(answered, nonAnswers)
        summary.answered = answered
        summary.minimum = minimum
        summary.maximum = maximum
        if summary.count > 0 {
            let late = (maximum ?? 0) > timeout ? sketch.excess(over: timeout) : 0
            let waited = nonAnswers > 0 ? Double(nonAnswers) * timeout : 0
            summary.restrictedMean = (sum - late + waited) / Double(summary.count)
        }
        summary.median = quantile(0.5, timeout: timeout)
        summary.p5 = quantile(0.05, timeout: timeout)
        summary.p25 = quantile(0.25, timeout: timeout)
        summary.p75 = quantile(0.75, timeout: timeout)
        summary.p90 = quantile(0.90, timeout: timeout)
        summary.p95 = quantile(0.95, timeout: timeout)
        summary.p99 = quantile(0.99, timeout: timeout)
        if answered >= 2 {
            let squares = sumOfSquares - sum * sum / Double(answered)
            summary.standardDeviation = (max(0, squares) / Double(answered - 1)).squareRoot()
        }
        if differences > 0 { summary.jitter = differenceSum / Double(differences) }
        return summary
    }
}
