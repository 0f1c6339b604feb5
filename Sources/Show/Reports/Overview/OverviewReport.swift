import Analysis
import Charts
import Samples
import Statistics

/// The state of the resolvers now, today and this week, and whether a switch is worth it.
package struct OverviewReport: HistoryReport {
    static let kind = "overview"

    /// One of the spans of the report. All spans end now.
    struct Span: Sendable {
        var period: Period
        var report: WindowReport
        /// Health of the resolver in use; `nil` without one.
        var health: ResolverHealth?
    }

    /// The `name` is for programs and never changes. The `title` is used in a table, and after `in the` in a
    /// sentence.
    package typealias Period = (name: String, title: String, length: Duration)
    /// The week last.
    package static let periods: [Period] = [
        ("hour", "last hour", .seconds(3600)), ("day", "last 24 hours", .seconds(86_400)),
        ("week", "last 7 days", .seconds(7 * 86_400)),
    ]

    /// Context of the widest span.
    package let context: WindowContext
    /// The label of the resolver in use; `nil` if it is unknown.
    package let inUse: String?
    let lastRound: Timestamp?
    let spans: [Span]
    let changes: ChangesReport
    /// The comparison of the others with the resolver in use, over the week; `nil` for several places.
    let comparison: ComparisonReport?
    /// The same comparison at each of several places; `nil` for one place.
    let places: PlacesReport?
    /// Whether an objective was kept over the week; `nil` without an objective.
    let objective: ObjectiveReport?
    /// The hours of the week of each resolver, the lowest median first.
    let trend: [ChartSubject]

    /// The widest span. It has every resolver of the other spans.
    package var week: WindowReport? { spans.last?.report }

    /// The title of the widest span.
    var longest: String { spans.last?.period.title ?? "" }
}

/// The figures of an overview, which are summed during reading.
struct OverviewTally: HistorySink {
    fileprivate var tallies: [(period: OverviewReport.Period, since: Timestamp, tally: WindowTally)]
    private(set) var hours: HistoryHours
    /// The hours before the week, with which changes in the week are compared.
    var lead: HistoryHours
    /// The rounds around those without an answer.
    var silent = SilentRounds()

    /// `context`, `rounds` and `evidence` are of the last of `periods`. With several places it is reported
    /// per place.
    init(
        _ context: WindowContext,
        rounds: [RoundMoment],
        evidence: TransportEvidence?,
        periods: [OverviewReport.Period] = OverviewReport.periods
    ) {
        hours = HistoryHours(clock: context.clock, rounds: rounds)
        lead = HistoryHours(clock: context.clock)
        tallies = periods.map { period in
            let since = context.window.upperBound.advanced(by: .zero - period.length)
            let clock = context.clock
            let grouping: WindowGrouping = rounds.areOfPlaces ? .vantage : .resolver
            let tally = WindowTally(by: grouping, clock: clock, rounds: rounds, since: since)
            return (period, since, tally)
        }
        tallies[tallies.count - 1].tally.evidence = evidence
    }

    fileprivate func changes(
        _ context: WindowContext,
        _ causes: [EstablishedCause]
    ) -> ChangesReport {
        var changes = ChangesReport(of: hours, after: lead, silent: silent, context: context)
        changes.changes.recall(causes)
        return changes
    }

    mutating func add(_ counted: CountedSamples) {
        hours.add(counted)
        for index in tallies.indices { tallies[index].tally.add(counted) }
    }

    mutating func add(_ sum: CountedSum) {
        hours.add(sum)
        for index in tallies.indices { tallies[index].tally.add(sum) }
    }
}

extension OverviewReport {
    /// `wish` is the label of the resolver in use, if it was measured; `comparison` uses rounds if there are
    /// too few hours.
    init(
        of tally: OverviewTally,
        inUse wish: String?,
        rules: ComparisonRules,
        objective: ServiceObjective? = nil,
        context: WindowContext,
        causes: [EstablishedCause] = [],
        comparison known: ComparisonReport? = nil
    ) {
        let (hours, tallies) = (tally.hours, tally.tallies)
        let areOfPlaces = hours.log.rounds.areOfPlaces
        let labels = Set(
            hours.timelines.map(\.subject).map { $0.target.unnamed(at: $0.vantage).label }
        )
        let inUse = labels.first { $0 == wish }
        let baseline = (labels.count < 2 ? nil : inUse).map {
            WindowBaseline($0, isInUse: true, rules: rules)
        }
        let ((comparison, windows), changes) = Concurrently.both(
            {
                (
                    known
                        ?? (areOfPlaces ? nil : baseline).map {
                            ComparisonReport(ofHours: hours, against: $0, window: context)
                        },
                    tallies.map { _, since, tally in
                        var part = context
                        part.window = since..<context.window.upperBound
                        return WindowReport(of: tally, context: part)
                    }
                )
            },
            { tally.changes(context, causes) }
        )
        self.init(
            context: context,
            inUse: inUse,
            lastRound: hours.log.rounds.map(\.last).max(),
            spans: zip(tallies.map(\.period), windows).map { period, report in
                Span(
                    period: period,
                    report: report,
                    health: (areOfPlaces ? nil : inUse).map {
                        ResolverHealth(of: $0, in: report, changes: changes)
                    }
                )
            },
            changes: changes,
            comparison: comparison,
            places: (areOfPlaces ? baseline : nil).map {
                PlacesReport(of: hours, against: $0, context: context)
            },
            objective: objective.map { ObjectiveReport(of: $0, hours: hours, context: context) },
            trend: areOfPlaces ? [] : hours.trend(inUse: inUse, order: context.order)
        )
    }
}

extension OverviewReport {
    /// The places of the week.
    var vantages: [String] { provenance.log.vantages }

    /// The lowest median in a span, the resolvers that have it, and `among` which resolvers it is the lowest
    /// if not among all. `nil` without a median, and for several places.
    func lowest(
        in span: Span
    ) -> (names: String, median: String, interval: String?, among: String?)? {
        guard vantages.count == 1 else { return nil }
        let rows = span.report.rows.map(\.figures)
        let series = Series.allCases.first { series in rows.contains { $0.target.series == series }
        }
        let members = rows.filter { $0.target.series == series }
        let summary = SeriesSummary(of: members)
        guard let best = summary.fastest.first, let median = best.latency.median else {
            return nil
        }
        let names = summary.fastest.map(\.said)
        let who =
            names.count > 3 ? "\(names.count) resolvers" : names.joined(separator: " and ")
        return (
            who, summary.format.prose(median), best.intervalText(in: summary.format),
            summary.among
        )
    }

    /// The same as a sentence.
    func fastest(in span: Span?) -> String? {
        guard let span, let (names, median, interval, among) = lowest(in: span) else { return nil }
        let sure = interval.map { " (95 % confidence interval \($0))" } ?? ""
        let those = among.map { " \($0)" } ?? ""
        return "Lowest median in the \(span.period.title)\(those): \(names), \(median)\(sure)."
    }

    var verdict: Finding? { comparison?.findings.first?.finding }

    /// The sentence whether the resolver in use kept the objective. Without a resolver in use, it names the
    /// resolvers that did.
    var objectiveSentence: String? {
        guard let objective, !objective.rows.isEmpty else { return nil }
        let sentence = inUse.flatMap(objective.sentence(on:)) ?? objective.headline
        return "In the \(longest), \(sentence)"
    }

    /// The rounds of the week with an answer.
    var availabilitySentences: [String] {
        week?.availabilitySentences(in: " in the \(longest)") ?? []
    }

    var freshness: String {
        guard let lastRound else { return context.nothing }
        let age = (context.present ?? context.window.upperBound).since(lastRound)
        let time = context.clock.text(lastRound)
        return "Last round \(LatencyFormat.span(age)) ago, at \(time)\(context.zoneNote)."
    }

    package var document: Document {
        let headline = status.sentence
        var sentences = [headline]
        for span in spans {
            sentences += [healthSentence(of: span), fastest(in: span)].compactMap(\.self)
        }
        sentences += places?.words ?? []
        if let objectiveSentence { sentences.append(objectiveSentence) }
        if let verdict { sentences += [verdict.headline] + verdict.details + [verdict.scope] }
        let incidents = changes.changes.incidents
        sentences += changes.fleetSentences + incidents.sentences(clock: context.clock)
        sentences += availabilitySentences + [freshness]
        // A fact appears once.
        sentences = [headline] + sentences.dropFirst().filter { $0 != headline }
        var document = week?.document ?? changes.document
        document.sections[0].headline = sentences[0]
        document.sections[0].details = Array(sentences.dropFirst())
        document.json = { json }
        return document
    }

    var provenance: Provenance { changes.provenance }

    var verification: Verification { changes.verification }

    static let fields: [Field<OverviewReport>] =
        [
            .text("headline", "The headline, for a reader.") { $0.status.sentence },
            .word("status", "State of the resolver in use.") { $0.status.kind },
            .list("overdue", overdue, "Places whose last round is older than their schedule.") {
                $0.overdue.map { ($0.vantage, $0.last, $0.interval) }
            },
            .text("in_use", null: "none is known", "Label of the resolver in use.") { $0.inUse },
            .moment("last_round", null: "there is no round", "Time of the last round.") {
                $0.lastRound
            },
            .list("spans", span, "The last hour, day and week.") { report in
                report.spans.map { ($0, report.fastest(in: $0)) }
            },
        ] + findings

    /// What was found over the widest span.
    static let findings: [Field<OverviewReport>] = [
        .object("verdict", verdict, null: "nothing was compared", "The verdict.") {
            $0.verdict
        },
        .list("comparisons", ComparedPair.shape, "Each resolver compared with the one in use.") {
            $0.comparison?.comparisons ?? []
        },
        Availability.field { $0.week?.availability },
        .list("incidents", IncidentFinding.shape, "Outages and changes.") {
            $0.changes.changes.incidents
        },
        .list("changes", ChangeFinding.shape, "Changes of each resolver.") { $0.changes.findings },
        .object(
            "places",
            Shape("places", PlacesReport.fields),
            when: "there are several places and a resolver in use",
            "The comparison at each place."
        ) { $0.places },
        .object(
            "objective",
            Shape("objective-report", ObjectiveReport.fields),
            when: "an objective was given",
            "Whether the objective was kept."
        ) { $0.objective },
        EncryptionCost.field { $0.week?.encryption ?? [] },
    ]

    private static let overdue = Shape<(vantage: String, last: Timestamp, interval: Duration)>(
        "overdue",
        [
            .text("vantage", "Name of the place.") { $0.vantage },
            .moment("last_round", "Time of its last round.") { $0.last },
            .count("interval_s", "Interval of its schedule, in seconds.") {
                Int($0.interval.components.seconds)
            },
        ]
    )

    private static let span = Shape<(span: Span, fastest: String?)>(
        "period",
        [
            Field("span", .word(periods.map(\.name)), "Name of the span.") {
                .string($0.span.period.name)
            },
            .moment("since", "Start of the span.") { $0.span.report.context.window.lowerBound },
            .word("state", null: "no resolver is in use", "State of the resolver in use.") {
                $0.span.health?.state
            },
            .text("fastest", null: "no resolver has a median", "The lowest median, for a reader.") {
                $0.fastest
            },
            .list("rows", WindowReport.Row.shape, "One entry per resolver, or place.") {
                $0.span.report.rows
            },
        ]
    )

    private static let verdict = Shape<Finding>(
        "verdict",
        [
            .text("headline", "The verdict, for a reader.") { $0.headline },
            .texts("details", "Further sentences.") { $0.details },
            .text("scope", "How much was measured.") { $0.scope },
        ]
    )
}

extension HistoryHours {
    /// The hours of each resolver in the first measured series, the lowest median first.
    fileprivate func trend(inUse: String?, order: ResolverOrder) -> [ChartSubject] {
        let timelines = timelines
        let series = Series.allCases.first { series in
            timelines.contains { $0.subject.target.series == series }
        }
        return timelines.filter { $0.subject.target.series == series }.map { timeline in
            let label = EscapedText.terminal(timeline.name)
            let latency = timeline.total().latency
            var subject = ChartSubject(label: label, summary: latency)
            subject.role = timeline.subject.target.label == inUse ? .current : .other
            subject.order = order.place(of: timeline.subject)
            subject.bins = timeline.hours.map { hour, figures in
                TimeBin(start: Int64(hour) * 3600, length: 3600, latency: figures.tally)
            }
            return subject
        }
        .sorted { left, right in
            (left.summary.median ?? .infinity, left.label)
                < (right.summary.median ?? .infinity, right.label)
        }
    }
}
