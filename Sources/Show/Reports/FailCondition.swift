import Analysis
import Catalogue
import Samples
import Statistics

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
    let bound: (relation: Relation, value: Double)?

    typealias Relation = (sign: String, holds: @Sendable (Double, Double) -> Bool)

    /// The longer signs first.
    private static let relations: [Relation] = [
        (">=", { $0 >= $1 }), ("<=", { $0 <= $1 }), (">", { $0 > $1 }), ("<", { $0 < $1 }),
    ]
}

extension FailCondition {
    /// Whether it is about a resolver: by its label, by its name as reports show it, such as
    /// `mine (tls)`, or by its label with its place or without. `place` is the only one that measured.
    package func concerns(_ label: String, name: String, at place: String? = nil) -> Bool {
        guard let resolver else { return true }
        return [label, name].contains(resolver) || label.hasPrefix("\(resolver) from ")
            || place.map { resolver == "\(label) from \($0)" } ?? false
    }

    /// Resolvers that it holds for, each with its value, such as `quad9 p95 61.3 ms`.
    package func findings(
        in rows: [ResolverSummary],
        at place: String? = nil,
        isSlower: (ResolverSummary) -> Bool
    ) -> [String] {
        rows.filter { concerns($0.target.label, name: $0.name, at: place) }.compactMap { row in
            let name = row.said
            guard let bound else { return isSlower(row) ? "\(name) is slower" : nil }
            guard let value = value(of: row) else { return nil }
            guard Self.holds(value, bound) else { return nil }
            return "\(name) has \(metric.rawValue) \(shown(value, of: row))"
        }
    }

    /// Whether it holds for so many failed checks.
    package func holds(failedChecks count: Int) -> Bool {
        bound.map { Self.holds(Double(count), $0) } ?? false
    }

    /// Compares in whole nanoseconds: milliseconds may lie off by a last digit.
    private static func holds(_ value: Double, _ bound: (relation: Relation, value: Double)) -> Bool
    {
        bound.relation.holds((value * 1e6).rounded(), (bound.value * 1e6).rounded())
    }

    /// Milliseconds, infinite beyond the timeout, or a fraction; `nil` where nothing was measured.
    private func value(of row: ResolverSummary) -> Double? {
        let latency = row.latency
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
        case .failed, .loss, .failures: return row.counts.failureRate.fraction
        case .lost: return row.counts.lossRate.fraction
        case .wrong: return Double(row.counts[.wrong])
        case .slower, .objectiveMissed, .failedChecks: return nil
        }
    }

    private func shown(_ value: Double, of row: ResolverSummary) -> String {
        if metric.isShare { return (value * 100).fixed(least: 1, most: 3) + " %" }
        if metric.isCount { return "\(Int(value))" }
        return value.isFinite
            ? value.fixed(least: 1, most: 3) + " ms" : LatencyFormat.beyond(row.latency.timeout)
    }
}

extension Comparison {
    /// Whether the candidate is slower than the baseline, at the median by more than the margin: as the
    /// interval shows, never a mere median. One that mostly fails is slower than any time.
    var saysSlower: Bool {
        guard verdict == .keep else { return false }
        if reason == .slower { return isFaster == false }
        let failsMost = candidateFailures.rate.map { $0 > 0.5 } ?? false
        return reason == .reliability && failsMost && logESlower > logEFaster
    }
}

package struct FailConditionError: Error, CustomStringConvertible {
    package let description: String
}

extension FailCondition {
    /// Reads `[RESOLVER:]METRIC OP VALUE` or `[RESOLVER:]slower-than-baseline`; other metrics than
    /// `metrics` are refused.
    package init(
        parsing text: String,
        metrics: [Metric] = Metric.latency
    ) throws(FailConditionError) {
        let written = text.trimmed
        let sign = written.firstIndex { $0 == "<" || $0 == ">" }
        let subject = written[..<(sign ?? written.endIndex)].trimmed
        // A metric has no colon, and neither has a label. A name may have an address in parentheses.
        let colon = subject.lastIndex(of: ":")
        let label = colon.map { subject[..<$0].trimmed }
        let bare = label?.prefix { $0 != "(" }
        guard label != "", bare?.contains(":") != true else {
            throw Self.refused(text, "it has more or less than a resolver before a colon")
        }
        let word = (colon.map { subject[subject.index(after: $0)...] } ?? subject[...]).trimmed
        guard let metric = Metric(rawValue: word), metrics.contains(metric) else {
            let known = metrics.map(\.rawValue).joined(separator: ", ")
            throw Self.refused(text, "'\(word)' is not a metric of this command: choose \(known)")
        }
        self.text = written
        self.metric = metric
        resolver = label
        guard (sign == nil) == metric.isVerdict else {
            let needed = "needs a value, as in '\(word) > \(metric.exampleValue)'"
            let reason = sign == nil ? needed : "stands alone, without a value"
            throw Self.refused(text, "'\(word)' \(reason)")
        }
        bound = try sign.map { sign throws(FailConditionError) in
            try Self.bound(written[sign...], of: metric, in: text)
        }
    }

    /// Such as `> 50ms`, `<= 1 %` or `> 0`.
    private static func bound(
        _ written: Substring,
        of metric: Metric,
        in text: String
    ) throws(FailConditionError) -> (Relation, Double) {
        guard let relation = relations.first(where: { written.hasPrefix($0.sign) })
        else { throw refused(text, "write >, >=, < or <=") }
        let value = written.dropFirst(relation.sign.count).trimmed
        if metric.isShare {
            guard let share = percent(value) else {
                throw refused(text, "'\(value)' is not a percentage; write one such as: 0.5% or 1%")
            }
            return (relation, share)
        }
        if metric.isCount {
            guard let count = UInt16(value) else {
                let counted = metric == .wrong ? "answers" : "checks"
                throw refused(text, "'\(value)' is not a number of \(counted); write 0, 1, 2 …")
            }
            return (relation, Double(count))
        }
        do throws(CatalogueError) {
            let duration = try Duration(parsing: value.filter { $0 != " " })
            return (relation, duration.milliseconds)
        } catch {
            throw refused(text, error.description)
        }
    }

    /// `1%`, `0.5 %`: 0 to 100; as a fraction.
    static func percent(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        let number = text.dropLast().trimmed
        guard number.count <= 18, number.first?.isNumber == true,
            number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let percent = Double(number), percent <= 100
        else { return nil }
        return percent / 100
    }

    private static func refused(_ text: String, _ reason: String) -> FailConditionError {
        FailConditionError(description: "'\(text)': \(reason)")
    }
}

extension FailCondition.Metric {
    /// Whether it stands alone, without a value.
    fileprivate var isVerdict: Bool { self == .slower || self == .objectiveMissed }

    fileprivate var isShare: Bool { [.failed, .loss, .failures, .lost].contains(self) }

    fileprivate var isCount: Bool { self == .failedChecks || self == .wrong }

    fileprivate var exampleValue: String { isShare ? "1%" : isCount ? "0" : "50ms" }
}

extension StringProtocol {
    fileprivate var trimmed: String { String(drop { $0 == " " }).trimmedAtEnd }
}

/// A report that conditions are held against.
package protocol GatedReport: Report {
    var labels: [String] { get }

    /// Labels with the names that the report shows for them.
    var namedLabels: [(label: String, name: String)] { get }

    /// The place that measured, where it is the only one.
    var onlyPlace: String? { get }

    /// Resolvers that `condition` holds for, or that nobody knows of.
    func findings(of condition: FailCondition) -> [String]
}

extension GatedReport {
    package var namedLabels: [(label: String, name: String)] { labels.map { ($0, $0) } }

    package var onlyPlace: String? { nil }

    /// Sentence on the resolvers for each of `conditions` that holds, or that nobody knows of.
    package func findings(of conditions: [FailCondition]) -> [String] {
        conditions.compactMap { condition in
            let findings = findings(of: condition)
            let name = EscapedText.terminal(condition.text)
            return findings.isEmpty ? nil : "'\(name)' holds: \(findings.joined(separator: ", "))"
        }
    }
}

/// A report of latencies that conditions are held against.
package protocol GatedFigures: GatedReport {
    var figures: [ResolverSummary] { get }

    /// Resolvers that were to be measured and were not, with how they are told.
    var unmeasured: [(label: String, name: String)] { get }

    func isSlower(_ row: ResolverSummary) -> Bool
}

extension GatedFigures {
    package var unmeasured: [(label: String, name: String)] { [] }

    package var labels: [String] { figures.map(\.target.label) }

    package var namedLabels: [(label: String, name: String)] {
        figures.map { ($0.target.label, $0.name) }
    }

    package func findings(of condition: FailCondition) -> [String] {
        let missing =
            unmeasured
            .filter { condition.concerns($0.label, name: $0.name, at: onlyPlace) }
            .map { "\(EscapedText.terminal($0.name)) is not measured" }
        return condition.findings(in: figures, at: onlyPlace, isSlower: isSlower) + missing
    }
}

extension WindowReport: GatedFigures {
    package var onlyPlace: String? { provenance.log.onlyVantage }

    package var figures: [ResolverSummary] { rows.map(\.figures) }

    package func isSlower(_ row: ResolverSummary) -> Bool { false }
}

extension WindowDiffReport: GatedFigures {
    package var onlyPlace: String? { provenance.log.onlyVantage }

    package var figures: [ResolverSummary] { rows.compactMap(\.now) }

    /// Where its sentence says so.
    package func isSlower(_ row: ResolverSummary) -> Bool {
        rows.contains { $0.now == row && $0.change == .slower }
    }
}

extension RunDiffReport: GatedFigures {
    package var onlyPlace: String? { provenance.log.onlyVantage }

    package var figures: [ResolverSummary] { rows.compactMap(\.now) }

    package func isSlower(_ row: ResolverSummary) -> Bool {
        rows.contains { $0.now == row && $0.comparison?.saysSlower == true }
    }
}

extension ComparisonReport: GatedFigures {
    package var figures: [ResolverSummary] { rows }

    package var onlyPlace: String? { context.vantage }

    package var unmeasured: [(label: String, name: String)] {
        context.unmeasured.map { ($0.target.label, $0.name) }
    }

    package func isSlower(_ row: ResolverSummary) -> Bool {
        evidence.flatMap(\.candidates).contains {
            $0.comparison.saysSlower && recording.targets[$0.target] == row.target
        }
    }
}
