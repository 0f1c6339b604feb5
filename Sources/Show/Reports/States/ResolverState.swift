import Analysis
package import Samples
package import Statistics

/// The present state of a resolver at a place, for programs that show states, such as Home Assistant.
package struct ResolverState: Hashable, Sendable {
    package let target: Recording.Target
    package let vantage: String
    let toolVersion: String
    /// The time of the last round.
    let time: Timestamp
    /// The median of the last round in milliseconds; `nil` without an answer.
    let latency: Double?
    /// The 95th percentile of the last hour in milliseconds; `nil` if more than 5 % were not answered.
    let p95: Double?
    /// The outcomes of the last hour.
    let counts: OutcomeCounts
    let standing: Standing
    let reason: VerdictReason?
    /// The last established change of the week; `nil` without one.
    let change: ChangeFinding?

    /// The verdict on a resolver, over the last 7 days.
    enum Standing: String, CaseIterable, Sendable {
        /// The resolver in use, with which the others are compared.
        case inUse = "in-use"
        case `switch`
        case keep
        case tooClose = "too-close"
        case undecided
        /// Nothing is compared: the resolver in use was not measured, or in another series.
        case uncompared

        init(_ verdict: Verdict) {
            self =
                switch verdict {
                case .switch: .switch
                case .keep: .keep
                case .tooClose: .tooClose
                case .undecided: .undecided
                }
        }

        var meaning: String {
            switch self {
            case .inUse: "The resolver in use, with which the others are compared."
            case .switch: Verdict.switch.meaning
            case .keep: Verdict.keep.meaning
            case .tooClose: Verdict.tooClose.meaning
            case .undecided: Verdict.undecided.meaning
            case .uncompared: "Nothing to compare: no measured resolver of the series is in use."
            }
        }
    }
}

extension HistoryReader {
    /// The states of the resolvers at `vantage` after the last round. The window of the reader is a week of
    /// this place. `inUse` is the label of the resolver in use.
    package func states(
        at vantage: String,
        inUse: String?,
        rules: ComparisonRules
    ) throws -> [ResolverState] {
        guard let last = try rounds(context.window).map(\.started).max() else { return [] }
        let periods = ResolverState.periods(after: context.window.upperBound.since(last))
        let report = try overview(inUse: inUse, rules: rules, periods: periods)
        return report.states(at: vantage)
    }
}

extension ResolverState {
    /// The spans of an overview with the figures of states. `age` is the time since the start of the last round.
    static func periods(after age: Duration) -> [OverviewReport.Period] {
        let round: OverviewReport.Period = ("round", "last round", age)
        let known = OverviewReport.periods.filter { $0.name != "day" }
        return [round] + known
    }
}

extension OverviewReport {
    /// The states, from the figures of the spans `round` and `hour`.
    func states(at vantage: String) -> [ResolverState] {
        func rows(_ name: String) -> [Recording.Target: ResolverSummary] {
            let rows = spans.first { $0.period.name == name }?.report.rows ?? []
            return Dictionary(rows.map { ($0.figures.target, $0.figures) }) { first, _ in first }
        }
        let (round, hour) = (rows("round"), rows("hour"))
        // A resolver that is no longer asked has no state.
        return (week?.rows ?? []).map(\.figures.target).filter { round[$0] != nil }.map { target in
            let (standing, reason) = standing(of: target)
            return ResolverState(
                target: target,
                vantage: vantage,
                toolVersion: context.toolVersion,
                time: lastRound ?? context.window.upperBound,
                latency: round[target]?.latency.median,
                p95: hour[target]?.latency.p95,
                counts: hour[target]?.counts ?? OutcomeCounts(),
                standing: standing,
                reason: reason,
                change: changes.changes.findings.last { $0.target == target }
            )
        }
    }

    private func standing(
        of target: Recording.Target
    ) -> (ResolverState.Standing, VerdictReason?) {
        guard let comparison,
            let evidence = comparison.evidence.first(where: { $0.series == target.series }),
            let index = comparison.recording.targets.firstIndex(of: target)
        else { return (target.label == inUse ? .inUse : .uncompared, nil) }
        if evidence.baseline == index { return (.inUse, nil) }
        let candidate = evidence.candidates.first { $0.target == index }
        guard let found = candidate?.comparison else { return (.uncompared, nil) }
        return (.init(found.verdict), found.reason)
    }
}

extension ResolverState {
    /// `dnstempo.state/1`, without a line break.
    package var json: String { Self.shape.members(of: self).line }

    package static let shape = Shape<ResolverState>(
        "state-document",
        DocumentHead.fields("dnstempo.state/1", isRedactable: false) { $0.toolVersion } + [
            .text("vantage", "Name of the vantage point.") { $0.vantage },
            .text("resolver", "Label of the resolver.") { $0.target.label },
            .text("endpoint", "Endpoint of the resolver.") { $0.target.endpoint },
            .text("transport", "Transport.") { $0.target.transport.description },
            .word("series", "Series of the queries.") { $0.target.series },
            .moment("time", "Time of the last round.") { $0.time },
            .time(
                "latency_ms",
                null: "no query of the round was answered",
                "Median of the last round."
            ) { $0.latency },
            .time(
                "p95_ms",
                null: "more than 5 % of the queries have no answer",
                "95th percentile of the last hour."
            ) { $0.p95 },
            .count("sent", "Queries of the last hour.") { $0.counts.sent },
            .share(
                "no_response_rate",
                null: "no query counts",
                "Queries of the last hour without any response, of all that count."
            ) { $0.counts.lossRate.fraction },
            .share(
                "failure_rate",
                null: "no query counts",
                "Failed queries of the last hour, of all that count."
            ) { $0.counts.failureRate.fraction },
            .word("verdict", "Verdict over the last 7 days.") { $0.standing },
            .word(
                "reason",
                null: "the resolver was not compared with another",
                "Reason of the verdict."
            ) { $0.reason },
            .moment(
                "last_change",
                null: "no change of the last 7 days is established",
                "Time since which the last change holds."
            ) { $0.change?.since },
            .text("change", null: "no change is established", "Kind of the last change.") {
                $0.change?.change.kind.rawValue
            },
        ]
    )
}
