package import Analysis
import Catalogue
import Samples

/// A report that can be tested with fail conditions.
package protocol GatedReport: Report {
    var labels: [String] { get }

    /// The labels with the names that the report shows for them.
    var namedLabels: [(label: String, name: String)] { get }

    /// The vantage point, if the report has only one.
    var onlyPlace: String? { get }

    /// The rounds of a report over a window; `nil` for other reports.
    var gatedRounds: GatedRounds? { get }

    /// Whether the report has a result of any resolver.
    var hasResults: Bool { get }

    /// The resolvers that meet `condition`, and the resolvers without a result.
    func findings(of condition: FailCondition) -> [String]
}

/// The rounds of a window that conditions test.
package struct GatedRounds {
    fileprivate var log: RoundLog
    fileprivate var context: WindowContext

    init(of report: some HistoryReport) { (log, context) = (report.provenance.log, report.context) }

    /// The reason why a condition about figures has nothing to test.
    fileprivate var nothing: String { "no usable round was measured from \(context.span)" }

    /// The places whose last round is too old for `condition`.
    fileprivate func staleness(_ condition: FailCondition) -> [String] {
        guard !log.isEmpty else { return ["no round was made from \(context.span)"] }
        return log.lastRounds.compactMap { place, last in
            let age = context.requestedEnd.since(last)
            guard condition.holds(time: age) else { return nil }
            let subject = log.onlyVantage == nil ? "\(EscapedText.terminal(place)): " : ""
            let moment = "\(context.clock.text(last)) \(context.zone)"
            return "\(subject)the last round was \(LatencyFormat.span(age)) ago (\(moment))"
        }
    }
}

extension GatedReport {
    package var namedLabels: [(label: String, name: String)] { labels.map { ($0, $0) } }

    package var onlyPlace: String? { gatedRounds?.log.onlyVantage }

    package var gatedRounds: GatedRounds? { nil }

    package var hasResults: Bool { !labels.isEmpty }

    /// A sentence for each of `conditions` that holds, with its resolvers or its reason. Resolvers without
    /// a result are included. If nothing was measured, every condition holds: an alert must not pass because
    /// no round was made.
    package func findings(of conditions: [FailCondition]) -> [String] {
        conditions.compactMap { condition in
            let name = EscapedText.terminal(condition.text)
            let findings = reasons(of: condition)
            return findings.isEmpty ? nil : "'\(name)' holds: \(findings.joined(separator: ", "))"
        }
    }

    private func reasons(of condition: FailCondition) -> [String] {
        if condition.metric == .stale { return gatedRounds?.staleness(condition) ?? [] }
        return hasResults
            ? findings(of: condition) : [gatedRounds?.nothing ?? "no resolver was measured"]
    }
}

/// A report of latencies that can be tested with fail conditions.
package protocol GatedFigures: GatedReport {
    var figures: [ResolverSummary] { get }

    /// Resolvers that were planned but not measured, with the names that the report shows.
    var unmeasured: [(label: String, name: String)] { get }

    /// Resolvers whose figures have nothing to be compared with.
    var uncompared: [(label: String, name: String)] { get }

    func isSlower(_ row: ResolverSummary) -> Bool
}

extension GatedFigures {
    package var unmeasured: [(label: String, name: String)] { [] }

    package var uncompared: [(label: String, name: String)] { [] }

    package var labels: [String] { namedLabels.map(\.label) }

    package var hasResults: Bool { !figures.isEmpty }

    package var namedLabels: [(label: String, name: String)] {
        figures.map { ($0.target.label, $0.name) } + unmeasured
    }

    package func findings(of condition: FailCondition) -> [String] {
        func list(_ named: [(label: String, name: String)], _ reason: String) -> [String] {
            named.filter { condition.concerns($0.label, name: $0.name, at: onlyPlace) }
                .map { "\(EscapedText.terminal($0.name)) \(reason)" }
        }
        return condition.findings(in: figures, at: onlyPlace, isSlower: isSlower)
            + list(unmeasured, "is not measured")
            + (condition.metric == .slower ? list(uncompared, "was not measured before") : [])
    }
}

extension WindowReport: GatedFigures {
    package var gatedRounds: GatedRounds? { GatedRounds(of: self) }

    package var figures: [ResolverSummary] { rows.map(\.figures) }

    package func isSlower(_ row: ResolverSummary) -> Bool { false }
}

extension WindowDiffReport: GatedFigures {
    package var gatedRounds: GatedRounds? { GatedRounds(of: self) }

    package var figures: [ResolverSummary] { rows.compactMap(\.now) }

    package var unmeasured: [(label: String, name: String)] { rows.named { $0.now == nil } }

    package var uncompared: [(label: String, name: String)] { rows.named { $0.before == nil } }

    /// Whether the report's change of the resolver is `slower`.
    package func isSlower(_ row: ResolverSummary) -> Bool {
        rows.contains { $0.now == row && $0.change == .slower }
    }
}

extension RunDiffReport: GatedFigures {
    package var gatedRounds: GatedRounds? { GatedRounds(of: self) }

    package var figures: [ResolverSummary] { rows.compactMap(\.now) }

    package var unmeasured: [(label: String, name: String)] { rows.named { $0.now == nil } }

    package var uncompared: [(label: String, name: String)] { rows.named { $0.before == nil } }

    package func isSlower(_ row: ResolverSummary) -> Bool {
        rows.contains { $0.now == row && $0.comparison?.saysSlower == true }
    }
}

/// The incidents of a window.
extension ChangesReport: GatedReport {
    package var labels: [String] { changes.labels }

    package var gatedRounds: GatedRounds? { GatedRounds(of: self) }

    /// Conditions on figures are not tested here.
    package func findings(of condition: FailCondition) -> [String] {
        let incidents = changes.incidents.filter {
            $0.concerns { condition.concerns($0.label, name: $0.name, at: onlyPlace) }
        }
        switch condition.metric {
        case .changes:
            let told = incidents.told(clock: context.clock)
            guard condition.holds(count: told.count) else { return [] }
            return told.isEmpty ? ["no incident"] : told.map { "\($0.name), \($0.claim)" }
        case .outage:
            let now = context.requestedEnd
            let outages = incidents.compactMap(\.outage)
            let longest = outages.max { $0.length(until: now) < $1.length(until: now) }
            guard condition.holds(time: longest?.length(until: now) ?? .zero) else { return [] }
            guard let longest else { return ["no outage"] }
            let told = IncidentFinding.outage(longest).told(clock: context.clock)
            return ["\(told.name), \(told.claim)"]
        default: return []
        }
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
