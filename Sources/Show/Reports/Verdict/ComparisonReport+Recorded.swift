package import Analysis
package import Catalogue
import DNSWire
import Samples
package import Statistics

/// The baseline of a window, and the rules of the comparison.
package struct WindowBaseline: Sendable {
    var label: String
    let isInUse: Bool
    var rules: ComparisonRules
    /// Whether the report has strategies over the baseline and the others.
    package var wantsStrategies = false
    /// The mechanism that sets the nameservers of the machine that prints the report.
    package var resolverSetup: ResolverSetup?

    package init(_ label: String, isInUse: Bool = false, rules: ComparisonRules) {
        self.label = label
        self.isInUse = isInUse
        self.rules = rules
    }
}

extension ComparisonReport {
    /// The report of earlier rounds: the same report as that of the run itself. Resolvers without queries are
    /// excluded.
    package init(
        ofRecorded tally: RecordingTally,
        against baseline: WindowBaseline,
        toolVersion: String,
        completing: (inout ReportContext) -> Void = { _ in }
    ) {
        var tally = tally
        tally.leaveOutIdleTargets()
        let recording = tally.recording
        let epoch = Timestamp(nanoseconds: 0)
        var context = ReportContext(
            toolVersion: toolVersion,
            vantage: Set(recording.runs.map(\.vantage)).sorted().joined(separator: ", "),
            started: tally.span?.lowerBound ?? epoch,
            finished: tally.span?.upperBound ?? epoch,
            plan: ReportContext.Plan(
                rounds: tally.queries.count,
                timeout: recording.runs.map(\.timeout).min() ?? .seconds(5),
                names: [.cached, .asFound, .browser].map(tally.names).first { !$0.isEmpty } ?? [],
                zones: tally.names(in: .uncached),
                types: Set(recording.questions.map(\.type.description)).sorted(),
                series: Set(recording.targets.map(\.series)).sorted { $0.order < $1.order }
            ),
            baseline: baseline.label
        )
        context.rules = baseline.rules
        context.isBaselineInUse = baseline.isInUse
        context.tampering = tally.tampering
        context.wantsStrategies = baseline.wantsStrategies
        context.resolverSetup = baseline.resolverSetup
        completing(&context)
        self.init(of: tally, context: context)
    }

    /// The report of the hours of `window`. It needs no samples, and makes a general statement.
    init(ofHours hours: HistoryHours, against baseline: WindowBaseline, window: WindowContext) {
        let timelines = hours.hoursByTarget
        let targets = timelines.map(\.target)
        let first = timelines.flatMap(\.hours.keys).min().map(Timestamp.init(hoursSinceEpoch:))
        let start = window.window.lowerBound
        let timeouts = timelines.lazy.flatMap { $0.hours.values.compactMap(\.timeout) }
        var context = ReportContext(
            toolVersion: window.toolVersion,
            vantage: hours.log.vantages.joined(separator: ", "),
            started: first.map { max($0, start) } ?? start,
            finished: window.gapsEnd,
            plan: ReportContext.Plan(
                rounds: hours.log.count,
                timeout: timeouts.min() ?? .seconds(5),
                series: Set(targets.map(\.series)).sorted { $0.order < $1.order }
            ),
            baseline: baseline.label
        )
        context.rules = baseline.rules
        context.rules.unit = .hour
        context.resolverOrder = window.order.labels.isEmpty ? nil : window.order.labels
        context.isBaselineInUse = baseline.isInUse
        var builder = EvidenceBuilder(
            targets: targets,
            baseline: baseline.label,
            rules: context.rules
        )
        builder.add(hours: timelines.map(\.hours))
        self.init(
            of: Recording(targets: targets),
            timelines.map { timeline in
                timeline.hours.sorted { $0.key < $1.key }
                    .reduce(into: Figures()) { $0.merge($1.value) }
            },
            rounds: hours.log.count,
            evidence: builder.evidence(ending: .budgetSpent),
            order: hours.provenance.order,
            context: context
        )
        // Hours are correlated by nature, so the note does not apply to them.
        warnings.removeAll { $0.kind == .autocorrelation }
    }
}
