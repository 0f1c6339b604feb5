import Analysis
import Samples
import Statistics

extension ComparisonReport {
    /// The strategies for programs; absent if they were not requested.
    static let strategyField = Field<ComparisonReport>(
        "strategies",
        .object(StrategyFacts.shape.form),
        when: "`--strategies` was given",
        null: "the look-ups allow no comparison",
        "What asking several resolvers would have taken."
    ) { report in
        guard report.context.wantsStrategies else { return nil }
        return report.strategies.map { evidence in
            StrategyFacts.shape.members(of: StrategyFacts(evidence, report.recording.targets.names))
        } ?? .null
    }
}

/// The evidence on strategies, with the names of the resolvers.
private struct StrategyFacts: Sendable {
    /// A strategy. A race that was not measured has no figures (`nil`), but ranges of its
    /// quantiles.
    struct Row: Sendable {
        let row: StrategyEvidence.Row
        let names: [String]

        var isKnown: Bool { row.bracket == nil }

        private static let isUnseen = "the race was not measured at one moment"

        static let shape = Shape<Row>(
            "strategy",
            [
                Field("strategy", .word(Strategy.meanings.map(\.0)), "Kind of strategy.") {
                    .string($0.row.strategy.kind)
                },
                .texts("resolvers", "Labels of the resolvers that the strategy asks.") { row in
                    row.row.strategy.members.map { row.names[$0] }
                },
                .time("after_ms", null: "it does not wait", "Wait until the second is asked.") {
                    $0.row.strategy.wait
                },
                .count("rounds", "Rounds.") { $0.row.figures.rounds },
                .count("lookups", "Look-ups.") { $0.row.figures.lookups },
                .time("median_ms", null: isUnseen, "Median time of a look-up.") {
                    $0.isKnown ? $0.row.figures.median.value : nil
                },
                quantile("median_ci_ms", "95 % interval of `median_ms`.") { $0.median },
                .time("p95_ms", null: isUnseen, "0.95-quantile of the times.") {
                    $0.isKnown ? $0.row.figures.p95.value : nil
                },
                quantile("p95_ci_ms", "95 % interval of `p95_ms`.") { $0.p95 },
                .share(
                    "slow_rate",
                    null: isUnseen,
                    "Look-ups that took longer than `slow_ms`, or failed."
                ) { $0.isKnown ? $0.row.figures.slowShare : nil },
                .share("failed_rate", null: isUnseen, "Look-ups that failed.") {
                    $0.isKnown ? $0.row.figures.failedShare : nil
                },
                .share("lost_rate", null: isUnseen, "The same number as `failed_rate`.") {
                    $0.isKnown ? $0.row.figures.failedShare : nil
                },
                .number("queries_per_lookup", digits: 1...9, "Mean queries per look-up.") {
                    $0.row.figures.queries
                },
                Field(
                    "first_answers",
                    .map(.number),
                    unit: .share,
                    null: isUnseen,
                    "Share of the look-ups that each resolver answers first."
                ) { row in
                    guard row.isKnown else { return .null }
                    return .object(
                        row.row.figures.wins.sorted { $0.key < $1.key }
                            .map { .init(name: row.names[$0.key], value: .rate($0.value)) }
                    )
                },
                bracket("median_bracket_ms", "Range of the median.") { $0.median },
                bracket("p95_bracket_ms", "Range of the 0.95-quantile.") { $0.p95 },
                saving("slow", "Slow look-ups") { $0.slow },
                saving("failed", "Failed look-ups") { $0.failed },
                saving("lost", "The same as `failed`: failed look-ups") { $0.failed },
            ]
        )

        private static func quantile(
            _ key: String,
            _ meaning: String,
            _ quantile: @escaping @Sendable (StrategyFigures) -> ClusteredQuantile
        ) -> Field<Row> {
            Field(key, .range(.number), unit: .milliseconds, null: isUnseen, meaning) { row in
                row.isKnown ? quantile(row.row.figures).json : .null
            }
        }

        private static func bracket(
            _ key: String,
            _ meaning: String,
            _ range: @escaping @Sendable (StrategyEvidence.Bracket) -> ClosedRange<Double>
        ) -> Field<Row> {
            Field(key, .range(.number), unit: .milliseconds, when: isUnseen, meaning) { row in
                row.row.bracket.map { range($0).json }
            }
        }

        private static func saving(
            _ key: String,
            _ what: String,
            _ comparison: @escaping @Sendable (StrategyEvidence.Row) -> StrategyComparison?
        ) -> Field<Row> {
            .object(
                key,
                StrategyComparison.shape,
                null: "it is the baseline alone, or there is no comparison",
                "\(what) that the strategy saves against the baseline alone."
            ) { comparison($0.row) }
        }
    }

    let evidence: StrategyEvidence
    /// The names of the recording's targets.
    let names: [String]

    init(_ evidence: StrategyEvidence, _ targets: [String]) {
        self.evidence = evidence
        names = evidence.members.map { targets[$0] }
    }

    static let shape = Shape<StrategyFacts>(
        "strategies",
        [
            .text("baseline", "Label of the baseline.") { $0.names[0] },
            .time("slow_ms", "Time above which a look-up is slow.") { _ in StrategyFigures.slow },
            .count("rounds", "Rounds.") { $0.evidence.rounds },
            .count("lookups", "Look-ups.") { $0.evidence.lookups },
            .flag(
                "at_once",
                "Whether the look-ups are those that all resolvers got at one moment; never in imported files with times in whole seconds."
            ) {
                $0.evidence.isAtOnce
            },
            .list("rows", Row.shape, "One entry per strategy, the baseline alone first.") { facts in
                facts.evidence.rows.map { Row(row: $0, names: facts.names) }
            },
        ]
    )
}

extension Strategy {
    fileprivate var kind: String {
        switch self {
        case .alone: "alone"
        case .race: "race"
        case .fallback(_, _, _, let listens): listens ? "hedge" : "failover"
        case .shares: "shares"
        case .winners: "winners"
        }
    }

    /// The wait in milliseconds before the second resolver is asked; `nil` for other strategies.
    fileprivate var wait: Double? {
        if case .fallback(_, _, let wait, _) = self { wait } else { nil }
    }
}

extension ClusteredQuantile {
    /// The two ends. An open end, and an end among the queries without an answer, is `null`.
    fileprivate var json: JSONValue { .array([.milliseconds(lower), .milliseconds(upper)]) }
}

extension ClosedRange<Double> {
    fileprivate var json: JSONValue {
        .array([.milliseconds(lowerBound), .milliseconds(upperBound)])
    }
}

extension StrategyComparison {
    fileprivate static let shape = Shape<StrategyComparison>(
        "saving",
        [
            .number("saved", .share, digits: 1...9, "Share of the look-ups that it saves.") {
                $0.saved
            },
            Field("saved_ci", .range(.number), unit: .share, "Interval at `confidence`.") {
                saving in
                .array(
                    [saving.interval.lowerBound, saving.interval.upperBound].map {
                        .number($0, least: 1, most: 9)
                    }
                )
            },
            .number("confidence", .share, digits: 2...9, "Confidence level of `saved_ci`.") {
                $0.confidence
            },
            .logEvidence(
                "log_e_above",
                "Evidence that it saves more than 0.01 of the look-ups (`failed`: 0.005)."
            ) {
                $0.logEAbove
            },
            .logEvidence("log_e_below", "Evidence that it does not save more than that.") {
                $0.logEBelow
            },
            .word("verdict", "Verdict.") { $0.verdict },
        ]
    )
}
