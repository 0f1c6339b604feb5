import Analysis
import Catalogue
import Samples
import Statistics

extension ComparisonReport {
    /// The report for programs: schema `dnstempo.comparison/1`. Version 1 may gain keys, but
    /// existing keys never change.
    var json: JSONValue { Self.fields.members(of: self) }

    static let fields: [Field<ComparisonReport>] =
        DocumentHead.fields("dnstempo.comparison/1") { $0.context.toolVersion } + [
            .text("vantage", "Name of the vantage point, from which the run was measured.") {
                $0.context.vantage
            },
            .moment("started", "Time of the first query.") { $0.context.started },
            .moment("finished", "Time of the end of the last query.") { $0.context.finished },
            .object("plan", ReportContext.Plan.shape, "Plan of the run.") { $0.context.plan },
            .list(
                "resolvers",
                ResolverEntry.shape,
                "One entry per resolver, transport and series, the lowest median first."
            ) {
                report in report.rows.map { ResolverEntry(of: $0, in: report) }
            },
            .list("comparisons", ComparedPair.shape, "Each candidate compared with the baseline.") {
                $0.comparisons
            },
            .object(
                "advice",
                Advice.shape,
                null:
                    "no verdict is `switch` or `keep`, or the resolver has no address to configure",
                "Resolvers to configure."
            ) { Advice(of: $0) },
            .object("instrument", InstrumentLines.shape, "Precision of the measurement itself.") {
                InstrumentLines(of: $0)
            },
            .list("caveats", Warning.shape, "Notes on the result; `notes` in reports.") {
                $0.warnings
            },
            .text("run", when: "the report is of one run", "Identifier of the run.") { report in
                report.recording.runs.count == 1 ? report.recording.runs[0].id : nil
            },
            .object(
                "combined",
                CombinedComparisons.shape,
                when: "cached and uncached names were compared",
                "Comparisons over cached and uncached names together. Their verdicts are the answer."
            ) { $0.combined },
            EncryptionCost.field { EncryptionCost.all(of: $0) },
            .list(
                "not_measured",
                UnmeasuredResolver.shape,
                when: "a resolver was left out",
                "Resolvers that were left out because their certificates are not trusted."
            ) { $0.context.unmeasured.isEmpty ? nil : $0.context.unmeasured },
            strategyField, loadField, registeredField,
        ]

    var comparisons: [ComparedPair] {
        evidence.flatMap { comparisons($0.candidates, of: $0) { $0.description } }
    }

    /// The comparisons over cached and uncached names together; `nil` unless both series were
    /// compared.
    private var combined: CombinedComparisons? {
        guard let evidence = evidence(of: .cached), !evidence.whole.isEmpty else { return nil }
        return CombinedComparisons(
            pairs: comparisons(evidence.whole, of: evidence) { _ in "cached,uncached" }
        )
    }

    private func comparisons(
        _ candidates: [SeriesEvidence.Candidate],
        of evidence: SeriesEvidence,
        series: (Series) -> String
    ) -> [ComparedPair] {
        guard let baseline = evidence.baseline.flatMap(row) else { return [] }
        return candidates.compactMap { candidate in
            row(ofTarget: candidate.target).map { row in
                ComparedPair(
                    baseline: baseline.target,
                    candidate: row.target,
                    series: series(row.target.series),
                    comparison: candidate.comparison,
                    content: candidate.content
                )
            }
        }
    }
}

/// An entry of `resolvers`.
private struct ResolverEntry: Sendable {
    let row: ResolverSummary
    /// The labels of resolvers that this resolver is not faster than by more than the margin. The
    /// list is empty if its verdict ended its rounds, and `nil` if it was asked until the end of
    /// the run.
    let betters: [String]?
    let limit: RateLimit?

    init(of row: ResolverSummary, in report: ComparisonReport) {
        self.row = row
        let targets = report.recording.targets
        betters = row.departure?.betters.map { targets[$0].label }
        limit = targets.firstIndex(of: row.target).flatMap { report.quality.limited[$0] }
    }

    private static let wasLeft = "the resolver was not asked to the end of the run"

    static let shape = Shape<ResolverEntry>(
        "resolver",
        (ResolverSummary.members + ResolverSummary.certainty).of { $0.row } + [
            .count("queried_rounds", when: wasLeft, "Rounds that asked the resolver.") {
                $0.row.departure?.rounds
            },
            .texts(
                "no_faster_than",
                when: wasLeft,
                "Three resolvers that it is not faster than by more than the margin, or none."
            ) { $0.betters },
            .word("stopped_for", when: wasLeft, "Reason why it was not asked further.") {
                $0.row.departure?.reason
            },
            .object(
                "rate_limit",
                RateLimit.shape,
                when: "the resolver seems to limit the rate of queries",
                "Limit of the rate of queries."
            ) { $0.limit },
        ]
    )
}

/// A candidate compared with the baseline.
struct ComparedPair: Sendable {
    let baseline: Recording.Target
    let candidate: Recording.Target
    let series: String
    let comparison: Comparison
    let content: ContentComparison?

    static let shape = Shape<ComparedPair>(
        "comparison",
        [
            .text("baseline", "Label of the baseline.") { $0.baseline.label },
            .text("baseline_endpoint", "Endpoint of the baseline.") { $0.baseline.endpoint },
            .text("baseline_transport", "Transport of the baseline.") {
                $0.baseline.transport.description
            },
            .text("candidate", "Label of the candidate.") { $0.candidate.label },
            .text("candidate_endpoint", "Endpoint of the candidate.") { $0.candidate.endpoint },
            .text("candidate_transport", "Transport of the candidate.") {
                $0.candidate.transport.description
            },
            .text("series", "Series, or `cached,uncached` for both together.") { $0.series },
        ] + Comparison.fields.of { $0.comparison } + [
            .object(
                "content",
                ContentComparison.shape,
                when: "`--connect` measured it",
                "Time to content: the query and the TCP connect to the answer together."
            ) { $0.content }
        ]
    )
}

private struct CombinedComparisons: Sendable {
    let pairs: [ComparedPair]

    static let shape = Shape<CombinedComparisons>(
        "combined",
        [
            .number(
                "hit_share",
                .share,
                digits: 1...9,
                "Weight of the cached names; the rest is that of the uncached names."
            ) { _ in PairedRound.hitShare },
            .list("comparisons", ComparedPair.shape, "One comparison per candidate.") { $0.pairs },
        ]
    )
}

extension Comparison {
    /// An open end of the interval is `null`. Logarithms are written with all digits.
    static let fields: [Field<Comparison>] = [
        .word("unit", "Unit of the evidence.") { $0.unit },
        .count("rounds", "Rounds, or hours, with at least one pair.") { $0.rounds },
        .count("pairs", "Pairs of queries for the same name in the same round.") { $0.pairs },
        .time(
            "median_difference_ms",
            null: "the median is infinite, or both failed in half of the pairs",
            "Median of the paired differences, baseline − candidate; positive: candidate faster."
        ) { $0.medianDifference },
        Field("statistic", .word(["median", "mean"]), "Statistic of `ci_ms` and the verdict.") {
            .string($0.statistic == .median ? "median" : "mean")
        },
        .time(
            "mean_difference_ms",
            null: "there is no pair",
            "Difference of the restricted means; a failed query and a later answer count as "
                + "the timeout. In the series `as-found`: over the names that both answered, each "
                + "answer at most 1 s."
        ) { $0.meanDifference },
        intervalField(
            "Interval of `median_difference_ms`, or of `mean_difference_ms` if `statistic` is `mean`."
        ) { $0.interval },
        .number(
            "confidence",
            .share,
            digits: 2...9,
            "Confidence level of `ci_ms`: 1 − the level of the candidate's step in Holm's test."
        ) { $0.confidence },
        .logEvidence(
            "log_e_faster",
            "Evidence that the candidate is faster by more than the margin."
        ) {
            $0.logEFaster
        },
        .logEvidence(
            "log_e_slower",
            "Evidence that the candidate is not faster by more than the margin."
        ) { $0.logESlower },
        Field(
            "probability_faster",
            .number,
            unit: .share,
            null: "there is no pair",
            "Mean share of pairs in which the candidate was faster; a tie counts as half."
        ) { $0.probabilityFaster.map { .exact($0) } ?? .null },
        .time("margin_ms", "Smallest difference that is worth a switch.") { $0.margin },
        .word("verdict", "Verdict on the candidate.") { $0.verdict },
        .word("reason", "Reason of the verdict.") { $0.reason },
    ]

    static func intervalField<Row>(
        _ meaning: String,
        key: String = "ci_ms",
        _ interval: @escaping @Sendable (Row) -> DifferenceInterval
    ) -> Field<Row> {
        let ends = "An end is `null` if it is open, or infinite because only one of both answered."
        return Field(key, .range(.number), unit: .milliseconds, "\(meaning) \(ends)") {
            interval($0).json
        }
    }
}

extension ContentComparison {
    private static func unconnected(_ side: String) -> String {
        "Connects to addresses that the \(side) answered that took longer than 250 ms or failed."
    }

    /// The time to content: the look-up plus the TCP connect, with its own verdict.
    static let shape = Shape<ContentComparison>(
        "content",
        [
            .count("rounds", "Rounds with a pair.") { $0.comparison.rounds },
            .time(
                "difference_ms",
                null: "the median is infinite",
                "Median over the rounds, baseline − candidate; positive: candidate faster."
            ) { $0.comparison.medianDifference },
            Comparison.intervalField("Interval of `difference_ms` at `confidence`.") {
                $0.comparison.interval
            },
            .number("confidence", .share, digits: 2...9, "Confidence level of `ci_ms`.") {
                $0.comparison.confidence
            },
            .time(
                "query_difference_ms",
                null: "the median is infinite",
                "Part of the query: median difference."
            ) { $0.lookUp },
            .time("connect_difference_ms", "Part of the TCP connect: mean difference.") {
                $0.connection
            },
            .count("connects", "TCP connects per resolver.") { $0.connections },
            .count("baseline_unconnected", unconnected("baseline")) { $0.baselineUnconnected },
            .count("candidate_unconnected", unconnected("candidate")) { $0.candidateUnconnected },
            .time(
                "https_estimate_ms",
                null: "`query_difference_ms` is",
                "Estimate for HTTPS: the part of the query and three times that of the connect."
            ) { $0.firstByte },
            .logEvidence("log_e_faster", "Evidence that content is faster by more than the margin.")
            {
                $0.comparison.logEFaster
            },
            .logEvidence(
                "log_e_slower",
                "Evidence that content is not faster by more than the margin."
            ) { $0.comparison.logESlower },
            .time("margin_ms", "Smallest difference that is worth a switch.") {
                $0.comparison.margin
            },
            .word("verdict", "Verdict on the time to content.") { $0.comparison.verdict },
            .word("reason", "Reason of the verdict.") { $0.comparison.reason },
        ]
    )
}

extension DifferenceInterval {
    /// The two ends in milliseconds; an open end is `null`.
    var json: JSONValue { .array([.milliseconds(lower), .milliseconds(upper)]) }
}

extension UnmeasuredResolver {
    fileprivate static let shape = Shape<UnmeasuredResolver>(
        "not_measured",
        [
            .text("resolver", "Label of the resolver.") { $0.target.label },
            .text("name", "The same text as `resolver`.") { $0.target.label },
            .text("endpoint", "Endpoint that would have been asked.") { $0.target.endpoint },
            .text("transport", "Transport.") { $0.target.transport.description },
            .text("reason", "Reason, for a reader.") { $0.reason },
        ]
    )
}
