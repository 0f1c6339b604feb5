package import Samples
package import Statistics

/// A condition that a script asks of a run, such as `p95 > 50ms`, `quad9: failed >= 1%` or
/// `slower-than-baseline`: `[RESOLVER:]METRIC OP VALUE`.
package struct FailCondition: Sendable {
    /// Figure of a resolver that is looked at.
    package enum Metric: String, Sendable, CaseIterable {
        case p50, median, p90, p95, p99, mean, max, min, jitter
        /// The share of queries without an answer that could be used. `loss` and `failures` are older
        /// words for `failed`.
        case failed, loss, failures
        /// The share of queries without any response.
        case lost
        /// The number of answers that were not as expected.
        case wrong
        /// Verdict of the comparison; it has no value.
        case slower = "slower-than-baseline"
        /// Verdict on a service objective, of a report on one alone; it has no value.
        case objectiveMissed = "objective-missed"
        /// Number of checks that a resolver failed; of `check` alone.
        case failedChecks = "failed-checks"

        package static let latency = allCases.filter {
            $0 != .failedChecks && $0 != .objectiveMissed
        }
    }

    /// As it was written, without spaces around it.
    package let text: String
    /// The label or the name that it is about; `nil` is any.
    package let resolver: String?
    package let metric: Metric
    /// Milliseconds, for shares a fraction, or a count; `nil` for what the comparison says.
    package let bound: (relation: Relation, value: Double)?

    /// The longer signs first.
    package enum Relation: String, Sendable, CaseIterable {
        case least = ">="
        case most = "<="
        case above = ">"
        case below = "<"
    }

    package init(
        _ text: String,
        of resolver: String?,
        _ metric: Metric,
        _ bound: (relation: Relation, value: Double)?
    ) {
        (self.text, self.resolver, self.metric, self.bound) = (text, resolver, metric, bound)
    }
}

extension FailCondition {
    /// Whether it is about a resolver: by its label, by its name as reports show it, such as
    /// `mine (tls)`, or by its label with its place or without. `place` is the only one that measured.
    package func concerns(_ label: String, name: String, at place: String? = nil) -> Bool {
        guard let resolver else { return true }
        return [label, name].contains(resolver) || label.hasPrefix("\(resolver) from ")
            || place.map { resolver == "\(label) from \($0)" } ?? false
    }

    /// Whether it holds for so many failed checks.
    package func holds(failedChecks count: Int) -> Bool {
        bound.map { $0.relation.holds(Double(count), $0.value) } ?? false
    }

    /// The value of its metric where it holds for it: milliseconds, infinite beyond the timeout, a
    /// fraction or a count.
    package func holds(_ latency: LatencySummary, _ counts: OutcomeCounts) -> Double? {
        guard let bound, let value = value(latency, counts),
            bound.relation.holds(value, bound.value)
        else { return nil }
        return value
    }

    /// Milliseconds, infinite beyond the timeout, or a fraction; `nil` where nothing was measured.
    private func value(_ latency: LatencySummary, _ counts: OutcomeCounts) -> Double? {
        guard latency.count > 0 else { return nil }
        // Quantiles of few rounds are not told: they are not known to lie among the timeouts.
        let beyond: Double? = latency.isOfFewRounds ? nil : .infinity
        switch metric {
        case .p50, .median: return latency.median ?? beyond
        case .p90: return latency.p90 ?? beyond
        case .p95: return latency.p95 ?? beyond
        case .p99: return latency.p99 ?? beyond
        case .mean: return latency.restrictedMean
        case .max: return latency.maximum ?? .infinity
        case .min: return latency.minimum ?? .infinity
        case .jitter: return latency.jitter
        case .failed, .loss, .failures: return Double(counts.failed) / Double(counts.measured)
        case .lost: return Double(counts.lost) / Double(counts.measured)
        case .wrong: return Double(counts[.wrong])
        case .slower, .objectiveMissed, .failedChecks: return nil
        }
    }
}

extension FailCondition.Relation {
    /// Compares in whole nanoseconds: milliseconds may lie off by a last digit.
    fileprivate func holds(_ value: Double, _ bound: Double) -> Bool {
        let (value, bound) = ((value * 1e6).rounded(), (bound * 1e6).rounded())
        return switch self {
        case .least: value >= bound
        case .most: value <= bound
        case .above: value > bound
        case .below: value < bound
        }
    }
}

extension Comparison {
    /// Whether the candidate is slower than the baseline, at the median by more than the margin: as the
    /// interval shows, never a mere median. One that mostly fails is slower than any time.
    package var saysSlower: Bool {
        guard verdict == .keep else { return false }
        if reason == .slower { return isFaster == false }
        let failsMost = candidateFailures.rate.map { $0 > 0.5 } ?? false
        return reason == .reliability && failsMost && logESlower > logEFaster
    }
}
