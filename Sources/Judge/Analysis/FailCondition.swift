package import Samples
package import Statistics

/// A condition that a script checks after a run, such as `p95 > 50ms`, `quad9: failed >= 1%` or
/// `slower-than-baseline`: `[RESOLVER:]METRIC OP VALUE`.
package struct FailCondition: Sendable {
    /// The figure of a resolver that the condition tests.
    package enum Metric: String, Sendable, CaseIterable {
        case p50, median, p90, p95, p99, mean, max, min, jitter
        /// The share of queries without a usable answer. `loss` and `failures` are older names of `failed`.
        case failed, loss, failures
        /// The share of queries without any response.
        case lost
        /// The number of answers that differ from the expected answer.
        case wrong
        /// The verdict of the comparison. It has no value.
        case slower = "slower-than-baseline"
        /// The verdict on a service objective, only in reports on an objective. It has no value.
        case objectiveMissed = "objective-missed"
        /// The time since the last round, only in reports over a window.
        case stale
        /// The number of incidents that were established in the window, and the longest time without an
        /// answer in it. Only in reports over a window.
        case changes, outage
        /// The number of checks that a resolver failed, only for `check`.
        case failedChecks = "failed-checks"

        package static let latency = allCases.filter {
            ![.failedChecks, .objectiveMissed, .stale, .changes, .outage].contains($0)
        }

        package static let history = allCases.filter { $0 != .failedChecks }

        /// Whether the metric is of a window, and of no run.
        package var isOfWindow: Bool { self == .stale || isOfIncidents }

        /// Whether the metric needs the incidents of the window.
        package var isOfIncidents: Bool { self == .changes || self == .outage }
    }

    /// The condition as it was written, without spaces around it.
    package let text: String
    /// The label or name of the resolver; `nil` for any resolver.
    package let resolver: String?
    package let metric: Metric
    /// The bound in milliseconds, as a fraction for shares, or as a count; `nil` for conditions about a
    /// verdict.
    package let bound: (relation: Relation, value: Double)?

    /// The relations, with the longer signs first for the parser.
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
    /// Returns whether the condition is about a resolver. It may name its label, its name in reports such as
    /// `mine (tls)`, or its label with or without its place. `place` is the place if only one measured.
    package func concerns(_ label: String, name: String, at place: String? = nil) -> Bool {
        guard let resolver else { return true }
        return [label, name].contains(resolver) || label.hasPrefix("\(resolver) from ")
            || place.map { resolver == "\(label) from \($0)" } ?? false
    }

    /// Returns whether the condition holds for this number of checks or incidents.
    package func holds(count: Int) -> Bool {
        bound.map { $0.relation.holds(Double(count), $0.value) } ?? false
    }

    /// Returns whether the condition holds for this time.
    package func holds(time: Duration) -> Bool {
        bound.map { $0.relation.holds(time.milliseconds, $0.value) } ?? false
    }

    /// Returns the value of the metric if the condition holds for it; `nil` otherwise. The value is in
    /// milliseconds (infinite beyond the timeout), a fraction or a count.
    package func holds(_ latency: LatencySummary, _ counts: OutcomeCounts) -> Double? {
        guard let bound, let value = value(latency, counts),
            bound.relation.holds(value, bound.value)
        else { return nil }
        return value
    }

    /// Returns the value in milliseconds (infinite beyond the timeout), or as a fraction; `nil` without
    /// measurements.
    private func value(_ latency: LatencySummary, _ counts: OutcomeCounts) -> Double? {
        guard latency.count > 0 else { return nil }
        // Quantiles from few rounds may be unknown, which does not mean that they are beyond the timeout.
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
        case .slower, .objectiveMissed, .stale, .changes, .outage, .failedChecks: return nil
        }
    }
}

extension FailCondition.Relation {
    /// Compares in whole nanoseconds, because milliseconds may differ in the last digit.
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
    /// Whether the candidate's median is slower than the baseline's by more than the margin. The interval
    /// decides, not the median alone. A candidate that fails most queries is slower than any time.
    package var saysSlower: Bool {
        guard verdict == .keep else { return false }
        if reason == .slower { return isFaster == false }
        let failsMost = candidateFailures.rate.map { $0 > 0.5 } ?? false
        return reason == .reliability && failsMost && logESlower > logEFaster
    }
}
