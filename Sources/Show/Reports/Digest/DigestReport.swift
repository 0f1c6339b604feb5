import Analysis
import Samples
package import Statistics

/// What happened in a week or a month, whether the objective was kept, whether another resolver is better, and
/// what to do. One page, for mail.
package struct DigestReport: HistoryReport {
    static let kind = "digest"

    let overview: OverviewReport
    /// The incidents, and the same in words.
    private let incidents: [IncidentFinding]
    private let told: [ToldChange]

    init(overview: OverviewReport) {
        self.overview = overview
        incidents = overview.changes.changes.incidents
        told = incidents.told(clock: overview.context.clock)
    }

    package var context: WindowContext { overview.context }

    var provenance: Provenance { overview.provenance }

    var verification: Verification { overview.verification }

    /// The resolver that is worth a switch; `nil` without one.
    private var better: ResolverSummary? {
        overview.comparison?.answer?.subject.flatMap { subject in
            subject.comparison.verdict == .switch ? subject.row : nil
        }
    }

    private var isEmpty: Bool { overview.week?.rows.isEmpty ?? true }

    private var hasGaps: Bool { !provenance.log.gaps(until: context.gapsEnd).isEmpty }

    /// Whether a reader must know anything: an incident, a missed objective, a better resolver, or missing
    /// rounds.
    package var hasNews: Bool {
        isEmpty || !told.isEmpty || !overview.changes.fleetSentences.isEmpty || better != nil
            || overview.objectiveState == .missed || !overview.overdue.isEmpty || hasGaps
    }
}

extension DigestReport {
    /// One line, also for the subject of a mail.
    package var headline: String {
        let start = overview.longest.sentenceStart
        guard !isEmpty else { return "\(start): nothing was measured." }
        let stopped = overview.overdue.isEmpty ? nil : "the rounds have stopped"
        let incidents =
            told.isEmpty ? "no incident" : told.count.of("incident", "incidents")
        let objective = overview.objectiveState.map { state in
            switch state {
            case .kept: "objective kept"
            case .missed: "objective missed"
            case .open: "objective too close to tell"
            }
        }
        let verdict = better.map { "\($0.said) is worth a switch" }
        let parts = [stopped, incidents, objective, verdict].compactMap(\.self)
        return "\(start): \(parts.joined(separator: ", "))."
    }

    /// The name of the place, if there is only one.
    package var place: String? { provenance.log.onlyVantage }

    private var actions: [String] {
        let line = incidents.contains { $0.isOngoingOnLine }
        let actions = [
            overview.overdue.isEmpty
                ? nil : "check the schedule with dnstempo schedule status",
            line ? "check your line and router, because all resolvers became slower" : nil,
            better.map { "use \($0.said), with the settings below" },
        ].compactMap(\.self)
        guard actions.isEmpty else { return actions.map { "To do: \($0)." } }
        return hasNews ? [] : ["Nothing to do."]
    }

    private var stopped: [String] {
        overview.overdue.map { place in
            let name = provenance.log.onlyVantage == nil ? " from \(place.vantage)" : ""
            return "No round\(EscapedText.terminal(name)) since \(context.clock.text(place.last))."
        }
    }

    private var scope: String {
        let names = provenance.log.vantages
        let from = names.count == 1 ? " from \(names[0])" : " from \(names.count) places"
        let rounds = provenance.log.count.of("round", "rounds")
        return EscapedText.terminal("\(rounds)\(from), \(context.span)\(context.zoneNote).")
    }

    package var document: Document {
        var document = overview.document
        document.sections =
            isEmpty
            ? [Document.Section(headline, details: [context.nothing])]
            : sections(resolvers: document.sections[0].tables.prefix(1))
        document.advice = overview.comparison.flatMap { Advice(of: $0) }
        document.json = { json }
        return document
    }

    /// The answer, the incidents if there are any, and the comparison with the table of `resolvers`.
    private func sections(resolvers: some Sequence<Table>) -> [Document.Section] {
        let words = overview.changes.incidentWords(told)
        let hasIncidents = !told.isEmpty || !overview.changes.fleetSentences.isEmpty
        var facts = Array(stopped.suffix(3)) + actions + overview.availabilitySentences
        if let objective = overview.objectiveSentence { facts.append(objective) }
        if !hasIncidents { facts += words.dropFirst() }
        facts.append(scope)
        let table = incidents.isEmpty ? [] : [Table(incidents.columns(clock: context.clock))]
        return [Document.Section(headline, details: facts)]
            + (hasIncidents ? [section(words, table)] : [])
            + [section(comparison, Array(resolvers))]
    }

    private func section(_ words: [String], _ tables: [Table]) -> Document.Section {
        Document.Section(words.first ?? "", details: Array(words.dropFirst()), tables: tables)
    }

    /// The resolver in use against the others.
    private var comparison: [String] {
        if let places = overview.places { return places.words }
        if let verdict = overview.verdict {
            return [verdict.headline] + verdict.details + [verdict.scope]
        }
        let remedy =
            "The resolver in use is unknown: add --baseline LABEL to compare the others with it."
        return [
            overview.fastest(in: overview.spans.last), overview.inUse == nil ? remedy : nil,
        ].compactMap(\.self)
    }

    static let fields: [Field<DigestReport>] =
        [
            .text("headline", "The headline, for a reader.") { $0.headline },
            .flag("has_news", "Whether a reader must know anything.") { $0.hasNews },
            .texts("to_do", "What to do, for a reader.") { $0.actions },
            .text("in_use", null: "none is known", "Label of the resolver in use.") {
                $0.overview.inUse
            },
            .list("rows", WindowReport.Row.shape, "One entry per resolver, or place.") {
                $0.overview.week?.rows ?? []
            },
        ] + OverviewReport.findings.of { $0.overview }
}

extension IncidentFinding {
    /// Whether all resolvers became slower, and still are.
    fileprivate var isOngoingOnLine: Bool {
        guard case .change(let group) = self, group.scope == .line, end == nil else { return false }
        let kind = group.members[0].change.kind
        return kind.isOfSpeed && kind.isForTheWorse
    }
}

extension HistoryReader {
    /// The digest of the window. `inUse` is the label of the resolver in use, if it was measured.
    package func digest(
        over period: DigestPeriod,
        inUse: String?,
        rules: ComparisonRules,
        objective: ServiceObjective? = nil
    ) throws -> DigestReport {
        var context = context
        // Rounds after the window are not late.
        context.present = context.gapsEnd
        return DigestReport(
            overview: try HistoryReader(source, context, charts: charts).overview(
                inUse: inUse,
                rules: rules,
                objective: objective,
                periods: [period.period(of: context)]
            )
        )
    }
}
