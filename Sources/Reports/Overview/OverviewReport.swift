import Samples
import Statistics

/// How resolvers are doing now, today and this week, and whether another one is worth switching to.
package struct OverviewReport: HistoryReport {
    static let kind = "overview"

    /// One of the times that are looked at, all of which end now.
    struct Span: Sendable {
        var period: Period
        var report: WindowReport
        /// Of the resolver in use; `nil` where there is none.
        var health: ResolverHealth?
    }

    enum Period: String, CaseIterable, Sendable {
        case hour, day, week

        var length: Duration {
            switch self {
            case .hour: .seconds(3600)
            case .day: .seconds(86_400)
            case .week: .seconds(7 * 86_400)
            }
        }
    }

    /// Of the week.
    package let context: WindowContext
    /// The label of the resolver in use; `nil` where none is known to be.
    package let inUse: String?
    /// When the last round began.
    let lastRound: Timestamp?
    let spans: [Span]
    let changes: ChangesReport
    /// The others beside the resolver in use, by the hours of the week.
    let comparison: ComparisonReport?
    let hours: HistoryHours

    /// The widest span, with every resolver of the others.
    var week: WindowReport? { spans.last?.report }

    /// Labels of all resolvers of the week, in the order of the table.
    package var labels: [String] {
        var labels: [String] = []
        for row in week?.rows ?? [] where !labels.contains(row.figures.target.label) {
            labels.append(row.figures.target.label)
        }
        return labels
    }
}

/// What an overview is made of, added up as it is read.
struct OverviewTally {
    private let context: WindowContext
    private var tallies: [(period: OverviewReport.Period, since: Timestamp, tally: WindowTally)]
    private var hours: HistoryHours
    private var lead: HistoryHours
    private var lastRound: Timestamp?
    /// Of the week.
    private var evidence: TransportEvidence

    /// `context` is of the week.
    init(_ context: WindowContext, evidence: TransportEvidence) {
        self.context = context
        self.evidence = evidence
        hours = HistoryHours(clock: context.clock)
        lead = HistoryHours(clock: context.clock)
        tallies = OverviewReport.Period.allCases.map { period in
            let since = context.window.upperBound.advanced(by: .zero - period.length)
            return (period, since, WindowTally(by: .resolver, clock: context.clock))
        }
    }

    mutating func add(_ round: RoundMoment) {
        hours.add(round)
        lastRound = max(lastRound ?? round.started, round.started)
        for index in tallies.indices where round.started >= tallies[index].since {
            tallies[index].tally.add(round)
        }
    }

    /// Adds samples of the week.
    mutating func add(_ recording: Recording) {
        hours.add(recording, logsRounds: false)
        evidence.add(recording)
        for index in tallies.indices {
            let since = tallies[index].since
            var part = recording
            part.samples.removeAll { $0.moment < since }
            if !part.samples.isEmpty { tallies[index].tally.add(part, logsRounds: false) }
        }
    }

    /// Adds an hour of which no samples are kept.
    mutating func add(_ sum: HourlySum) {
        hours.add(sum)
        evidence.add(sum)
        for index in tallies.indices where sum.hour >= tallies[index].since {
            tallies[index].tally.add(sum)
        }
    }

    /// Adds what was measured before the week.
    mutating func addLead(_ recording: Recording) { lead.add(recording, logsRounds: false) }

    mutating func addLead(_ sum: HourlySum) { lead.add(sum) }

    /// `advice` says what to do where there is nothing.
    func report(
        inUse wish: String?,
        rules: ComparisonRules,
        limits: HistoryLimits,
        advice: () throws -> String
    ) rethrows -> OverviewReport {
        var known = self.context
        known.limits = limits
        if hours.isEmpty { known.advice = try advice() }
        let context = known
        let labels = Set(hours.hoursByTarget.map(\.target.label))
        let inUse = wish.flatMap { labels.contains($0) ? $0 : nil }
        let (comparison, (changes, windows)) = Concurrently.both(
            { labels.count > 1 ? inUse.map { self.comparison(with: $0, rules, context) } : nil },
            { (ChangesReport(of: judged, context: context), self.windows(context)) }
        )
        return OverviewReport(
            context: context,
            inUse: inUse,
            lastRound: lastRound,
            spans: windows.map { period, report in
                OverviewReport.Span(
                    period: period,
                    report: report,
                    health: inUse.map { ResolverHealth(of: $0, in: report, changes: changes) }
                )
            },
            changes: changes,
            comparison: comparison,
            hours: hours
        )
    }

    /// The hours of the week and those before.
    private var judged: HistoryHours {
        var judged = hours
        judged.addHours(of: lead)
        return judged
    }

    private func windows(
        _ context: WindowContext
    ) -> [(period: OverviewReport.Period, report: WindowReport)] {
        tallies.map { period, since, tally in
            var part = context
            part.window = since..<context.window.upperBound
            let evidence = period == .week ? evidence : nil
            return (period, WindowReport(of: tally, context: part, evidence: evidence))
        }
    }

    private func comparison(
        with baseline: String,
        _ rules: ComparisonRules,
        _ context: WindowContext
    ) -> ComparisonReport {
        ComparisonReport(
            ofHours: hours,
            baseline: baseline,
            isInUse: true,
            rules: rules,
            window: context
        )
    }
}

extension OverviewReport.Period {
    /// Such as `now`, for a heading.
    var title: String {
        switch self {
        case .hour: "Now"
        case .day: "Today"
        case .week: "This week"
        }
    }

    /// Such as `in the last hour`.
    var phrase: String {
        switch self {
        case .hour: "in the last hour"
        case .day: "in the last 24 hours"
        case .week: "in the last 7 days"
        }
    }
}

extension OverviewReport {
    /// The answer to whether all is well: of the shortest span in which the resolver in use was
    /// measured.
    var headline: String {
        guard let week, !week.rows.isEmpty else { return context.nothing }
        guard let inUse else { return fastest(in: spans.last) ?? context.nothing }
        let name = EscapedText.terminal(inUse)
        guard
            let span = spans.first(where: { span in
                span.health.map { $0.state != .unmeasured } ?? false
            }), let health = span.health
        else { return "\(name) was not measured this week." }
        let figures = health.figures.map { ": \($0)" } ?? ""
        return "\(health.words(name).sentenceBegin) \(span.period.phrase)\(figures)."
    }

    /// Who answered fastest in a span; `nil` where nobody did.
    func fastest(in span: Span?) -> String? {
        guard let span else { return nil }
        let rows = span.report.rows.map(\.figures)
        let series = Series.allCases.first { series in rows.contains { $0.target.series == series }
        }
        let members = rows.filter { $0.target.series == series }
        let standing = Standing(of: members)
        guard let best = standing.fastest.first, let median = best.latency.median else {
            return nil
        }
        let names = standing.fastest.map { EscapedText.terminal($0.name) }
        let who =
            names.count > 3 ? "\(names.count) resolvers" : names.joined(separator: " and ")
        return "\(who) answered fastest, in \(standing.format.prose(median)) at the median."
    }

    /// Whether another resolver is worth switching to, as far as the week tells.
    var verdict: Finding? {
        guard let comparison, let series = comparison.series.first else { return nil }
        return Finding(in: series, of: comparison)
    }

    /// When the last round was.
    var freshness: String {
        guard let lastRound else { return context.nothing }
        let age = (context.present ?? context.window.upperBound).since(lastRound)
        let time = context.clock.text(lastRound)
        return "Last round \(LatencyFormat.span(age)) ago, at \(time) (\(context.zone))."
    }

    package var document: Document {
        var words = [headline]
        for span in spans {
            if let health = span.health, let inUse {
                let figures = health.figures.map { ": \($0)" } ?? ""
                words.append(
                    "\(span.period.title): \(health.words(EscapedText.terminal(inUse)))\(figures)."
                )
            }
            if let fastest = fastest(in: span) { words.append(fastest) }
        }
        if let verdict { words += [verdict.headline, verdict.scope] }
        words += changes.findings.map { $0.sentence(clock: context.clock) }
        words.append(freshness)
        var document = week?.document ?? changes.document
        document.sections[0].headline = words[0]
        document.sections[0].details = Array(words.dropFirst())
        document.json = { json }
        return document
    }

    var log: RoundLog { hours.log }

    var provenance: Provenance { changes.provenance }

    var notes: [Warning] { changes.notes }

    var members: [JSONValue.Member] {
        [
            .init(name: "headline", value: .string(headline)),
            .init(name: "in_use", value: inUse.map(JSONValue.string) ?? .null),
            .init(name: "last_round", value: .moment(lastRound)),
            .init(name: "spans", value: .array(spans.map(json))),
            .init(
                name: "verdict",
                value: verdict.map {
                    ["headline": .string($0.headline), "scope": .string($0.scope)]
                } ?? .null
            ),
            .init(name: "comparisons", value: .array(comparison?.comparisons ?? [])),
            .init(name: "changes", value: .array(changes.findings.map(\.json))),
        ] + (week?.encryption ?? []).members
    }

    private func json(_ span: Span) -> JSONValue {
        let window = span.report.context.window
        return [
            "span": .string(span.period.rawValue),
            "since": .string(window.lowerBound.description),
            "state": span.health.map { .string($0.state.rawValue) } ?? .null,
            "fastest": fastest(in: span).map(JSONValue.string) ?? .null,
            "rows": .array(span.report.rows.map { .object($0.figures.members) }),
        ]
    }
}

extension String {
    /// With a capital where it begins with `there`; names stay as they are.
    fileprivate var sentenceBegin: String {
        hasPrefix("there was") ? "T" + dropFirst() : self
    }
}
