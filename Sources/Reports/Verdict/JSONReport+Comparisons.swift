import Samples
import Statistics

extension JSONReport {
    /// What is said of one series: an object a candidate.
    static func comparisons(
        _ evidence: SeriesEvidence,
        in report: ComparisonReport
    ) -> [JSONValue] {
        guard let baseline = evidence.baseline.flatMap(report.row) else { return [] }
        return evidence.candidates.compactMap { candidate in
            report.row(ofTarget: candidate.target).map { row in
                comparison(candidate.comparison, of: row, with: baseline)
            }
        }
    }

    /// An open end of the interval is `null`; the logarithms have all their digits.
    private static func comparison(
        _ comparison: Comparison,
        of candidate: ResolverRow,
        with baseline: ResolverRow
    ) -> JSONValue {
        [
            "baseline": .string(baseline.target.label),
            "candidate": .string(candidate.target.label),
            "candidate_endpoint": .string(candidate.target.endpoint),
            "candidate_transport": .string(candidate.target.transport),
            "series": .string(candidate.target.series.description),
            "unit": .string(comparison.unit.rawValue),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "median_difference_ms": .milliseconds(comparison.medianDifference),
            "ci_ms": .array([
                .milliseconds(comparison.interval.lower),
                .milliseconds(comparison.interval.upper),
            ]),
            "confidence": .number(comparison.confidence, least: 2, most: 9),
            "log_e_faster": .exact(comparison.logEFaster),
            "log_e_slower": .exact(comparison.logESlower),
            "probability_faster": comparison.probabilityFaster.map { .exact($0) } ?? .null,
            "margin_ms": .milliseconds(comparison.margin),
            "verdict": .string(comparison.verdict.rawValue),
            "reason": .string(comparison.reason.rawValue),
        ]
    }

    /// How certain the figures of a row are: ranks, and intervals to 95 %; `null` where there is
    /// none.
    static func certainty(of row: ResolverRow) -> [JSONValue.Member] {
        let failures = row.failureInterval
        let members: [(String, JSONValue)] = [
            (
                "rank",
                row.rank.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) } ?? .null
            ),
            (
                "failure_ci",
                row.counts.measured == 0
                    ? .null
                    : .array([
                        .number(failures.lowerBound, least: 1, most: 9),
                        .number(failures.upperBound, least: 1, most: 9),
                    ])
            ),
            (
                "median_ci_ms",
                row.medianInterval.map {
                    .array([.milliseconds($0.lowerBound), .milliseconds($0.upperBound)])
                } ?? .null
            ),
        ]
        return members.map { JSONValue.Member(name: $0.0, value: $0.1) }
    }
}
