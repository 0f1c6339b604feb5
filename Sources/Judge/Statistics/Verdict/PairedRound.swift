/// One piece of evidence about a candidate: the pairs of a round, or an hour as one pair.
package struct PairedRound: Hashable, Sendable {
    /// Baseline − candidate of each name and type that both were asked for, in milliseconds, in any order.
    ///
    /// +∞ if only the baseline failed, −∞ if only the candidate failed. NaN if both failed, which is a tie at
    /// any margin.
    package let pairs: [Double]
    package let baselineFailures: FailureCount
    package let candidateFailures: FailureCount
    /// The sum and number of the differences in the mean, in milliseconds. The initializers define which they
    /// are.
    let differenceSum: Double
    let differences: Int
    /// Days since 1970 (UTC); `nil` if unknown.
    let day: Int?
    /// The maximum error of a difference in milliseconds. Medians of sketches have one.
    var error = 0.0

    /// Creates a round of pairs. Its mean is the mean of the finite differences, because the times are
    /// unknown.
    package init(_ pairs: [Double]) {
        let finite = pairs.filter(\.isFinite)
        self.init(pairs, differenceSum: finite.sum, differences: finite.count)
    }

    private init(_ pairs: [Double], differenceSum: Double, differences: Int) {
        func failures(as difference: Double) -> FailureCount {
            let failures = pairs.count { $0 == difference || $0.isNaN }
            return FailureCount(failures: failures, queries: pairs.count)
        }
        self.pairs = pairs
        baselineFailures = failures(as: .infinity)
        candidateFailures = failures(as: -.infinity)
        self.differenceSum = differenceSum
        self.differences = differences
        day = nil
    }

    /// Creates the pairs of a round from the outcomes of both resolvers, in the same order of questions.
    ///
    /// With a `timeout`, in milliseconds, the mean is the restricted mean of min(time, timeout). A failure
    /// then counts as the timeout. Without it, the mean covers the pairs that both answered. `error` is the
    /// maximum error of a difference in milliseconds.
    package init(
        baseline: [QueryOutcome],
        candidate: [QueryOutcome],
        timeout: Double? = nil,
        error: Double = 0
    ) {
        defer { self.error = error }
        let outcomes = zip(baseline, candidate)
        let pairs = outcomes.compactMap { $0.difference(from: $1) }
        guard let timeout else {
            self.init(pairs)
            return
        }
        let differences = outcomes.compactMap { baseline, candidate -> Double? in
            guard let time = baseline.time, let other = candidate.time else { return nil }
            return min(time, timeout) - min(other, timeout)
        }
        self.init(pairs, differenceSum: differences.sum, differences: differences.count)
    }

    /// Creates one pair from the medians of an hour, counted from 1970 (UTC). A median beyond `timeout`
    /// milliseconds is infinite. `nil` if either resolver was not asked.
    ///
    /// The mean is the difference of the hour's restricted means.
    package init?(hour: Int, baseline: HourSummary, candidate: HourSummary) {
        guard baseline.isAsked, candidate.isAsked, let usual = baseline.restrictedMean,
            let mean = candidate.restrictedMean
        else { return nil }
        pairs = [baseline.median.difference(from: candidate.median)].compactMap(\.self)
        baselineFailures = baseline.failures
        candidateFailures = candidate.failures
        differenceSum = usual - mean
        differences = 1
        day = Int((Double(hour) / 24).rounded(.down))
        error = baseline.error + candidate.error
    }

    /// Creates one pair from a round of cached and uncached names: the expected wait of a look-up.
    ///
    /// The medians of both are weighted with the share of look-ups that hit the cache. Both must have a pair.
    package init(cached: PairedRound, uncached: PairedRound, hits: Double = Self.hitShare) {
        let parts = [(cached, hits), (uncached, 1 - hits)]
        func weighted(_ value: (PairedRound) -> Double) -> Double {
            parts.reduce(0) { $0 + $1.1 * value($1.0) }
        }
        let isWhole = parts.allSatisfy { !$0.0.pairs.isEmpty }
        let isAnswered = isWhole && parts.allSatisfy { $0.0.differences > 0 }
        // Infinite times of opposite signs add up to NaN, which is a tie.
        pairs = isWhole ? [weighted { $0.pairs.filter { !$0.isNaN }.median ?? .nan }] : []
        baselineFailures = cached.baselineFailures + uncached.baselineFailures
        candidateFailures = cached.candidateFailures + uncached.candidateFailures
        differenceSum = isAnswered ? weighted { $0.differenceSum / Double($0.differences) } : 0
        differences = isAnswered ? 1 : 0
        day = cached.day
    }

    /// The assumed share of look-ups that hit the cache, if it was not measured.
    package static let hitShare = 0.8

    /// Returns U: the share of pairs whose difference is above `margin` milliseconds. A tie counts as half,
    /// and so does a difference whose error may change the result. `nil` without pairs.
    package func share(above margin: Double) -> Double? {
        shares(above: margin)?.middle
    }

    /// Returns the smallest and the largest U that the error of the differences allows; `nil` without pairs.
    package func shares(above margin: Double) -> ClosedRange<Double>? {
        guard let least = Self.share(of: pairs, above: margin + error) else { return nil }
        let greatest = error == 0 ? least : Self.share(of: pairs, above: margin - error)
        return greatest.map { least...$0 }
    }

    static func share(of pairs: some Sequence<Double>, above margin: Double) -> Double? {
        var (halves, count) = (0, 0)
        for difference in pairs {
            halves += difference > margin ? 2 : difference < margin ? 0 : 1
            count += 1
        }
        return count > 0 ? Double(halves) / Double(2 * count) : nil
    }

    /// F, from −1 to 1: the candidate's share of failed queries minus the baseline's; `nil` without queries.
    ///
    /// For pairs, it equals the share that only the candidate failed, minus the share that only the baseline
    /// failed.
    package var failureExcess: Double? {
        guard let candidate = candidateFailures.rate, let baseline = baselineFailures.rate
        else { return nil }
        return candidate - baseline
    }
}

extension ClosedRange<Double> {
    var middle: Double { (lowerBound + upperBound) / 2 }
}

/// The outcome of one query of a round.
package enum QueryOutcome: Hashable, Sendable {
    /// The time in milliseconds. A time that is not finite counts as no answer.
    case answered(Double)
    /// No usable answer: slower than any time.
    case failed
    /// Not asked, or the answer is no measure of speed. It is excluded.
    case missing

    /// Milliseconds; +∞ without an answer; `nil` if it is excluded.
    package var time: Double? {
        switch self {
        case .answered(let time): time.isFinite ? time : .infinity
        case .failed: .infinity
        case .missing: nil
        }
    }

    /// Returns this time minus the candidate's, as in ``PairedRound/pairs``; `nil` if either is missing.
    package func difference(from candidate: QueryOutcome) -> Double? {
        guard let time, let other = candidate.time else { return nil }
        return time - other
    }
}
