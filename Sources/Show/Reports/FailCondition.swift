package import Analysis
import Catalogue
import Samples
import Statistics

extension FailCondition {
    /// The resolvers that meet the condition, each with its value, such as `quad9 p95 61.3 ms`.
    package func findings(
        in rows: [ResolverSummary],
        at place: String? = nil,
        isSlower: (ResolverSummary) -> Bool
    ) -> [String] {
        rows.filter { concerns($0.target.label, name: $0.name, at: place) }.compactMap { row in
            let name = row.said
            // A condition without a measurement holds. Otherwise an alert passes because nothing was measured.
            guard row.latency.count > 0 else { return "\(name) has no query that counts" }
            guard bound != nil else { return isSlower(row) ? "\(name) is slower" : nil }
            return holds(row.latency, row.counts).map {
                "\(name) has \(metric.rawValue) \(shown($0, of: row))"
            }
        }
    }

    private func shown(_ value: Double, of row: ResolverSummary) -> String {
        if metric.isShare { return (value * 100).fixed(least: 1, most: 3) + " %" }
        if metric.isCount { return "\(Int(value))" }
        return value.isFinite
            ? value.fixed(least: 1, most: 3) + " ms" : LatencyFormat.beyond(row.latency.timeout)
    }
}

package struct FailConditionError: Error, CustomStringConvertible {
    package let description: String
}

extension FailCondition {
    /// Reads `[RESOLVER:]METRIC OP VALUE` or `[RESOLVER:]slower-than-baseline`. Rejects metrics
    /// that are not in `metrics`.
    package init(
        parsing text: String,
        metrics: [Metric] = Metric.latency
    ) throws(FailConditionError) {
        let written = text.trimmed
        let sign = written.firstIndex { $0 == "<" || $0 == ">" }
        let subject = written[..<(sign ?? written.endIndex)].trimmed
        // Metrics and labels contain no colon. A name may contain an address in parentheses.
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
        guard (sign == nil) == metric.isVerdict else {
            let needed = "needs a value, as in '\(word) > \(metric.exampleValue)'"
            let reason = sign == nil ? needed : "stands alone, without a value"
            throw Self.refused(text, "'\(word)' \(reason)")
        }
        guard label == nil || !metric.isOfRounds else {
            throw Self.refused(
                text,
                "'\(word)' is about all resolvers; write it without a resolver"
            )
        }
        let bound = try sign.map { sign throws(FailConditionError) in
            try Self.bound(written[sign...], of: metric, in: text)
        }
        self.init(written, of: label, metric, bound)
    }

    /// Reads a bound such as `> 50ms`, `<= 1 %` or `> 0`.
    private static func bound(
        _ written: Substring,
        of metric: Metric,
        in text: String
    ) throws(FailConditionError) -> (Relation, Double) {
        guard let relation = Relation.allCases.first(where: { written.hasPrefix($0.rawValue) })
        else { throw refused(text, "write >, >=, < or <=") }
        let value = written.dropFirst(relation.rawValue.count).trimmed
        if metric.isShare {
            guard let share = Double(percentage: value) else {
                throw refused(text, "'\(value)' is not a percentage; write one such as: 0.5% or 1%")
            }
            return (relation, share)
        }
        if metric.isCount {
            guard let count = UInt16(value) else {
                let counted =
                    metric == .wrong ? "answers" : metric == .changes ? "changes" : "checks"
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

    private static func refused(_ text: String, _ reason: String) -> FailConditionError {
        FailConditionError(description: "'\(text)': \(reason)")
    }
}

extension FailCondition.Metric {
    /// Whether the metric takes no value.
    fileprivate var isVerdict: Bool { self == .slower || self == .objectiveMissed }

    fileprivate var isShare: Bool { [.failed, .loss, .failures, .lost].contains(self) }

    fileprivate var isCount: Bool { [.failedChecks, .wrong, .changes].contains(self) }

    /// Whether the metric describes the rounds, and not one resolver.
    fileprivate var isOfRounds: Bool { self == .stale }

    fileprivate var exampleValue: String {
        isShare ? "1%" : isCount ? "0" : isOfRounds || self == .outage ? "15m" : "50ms"
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { String(drop { $0 == " " }).trimmedAtEnd }
}
