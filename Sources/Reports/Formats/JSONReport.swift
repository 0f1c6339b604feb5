import Analysis
import Samples
import Statistics

/// The report for programs: schema `dnstempo.comparison/1`.
///
/// Within it keys may be added, never changed. Times are milliseconds; a quantile that lies among
/// the timeouts is `null`. sent = answered + timeouts + Σ failures + filtered.
package struct JSONReport: ReportFormat {
    package init() {}

    package func render(_ report: ComparisonReport) -> String {
        let context = report.context
        let document: JSONValue = [
            "schema": .string("dnstempo.comparison/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(context.toolVersion)],
            "vantage": .string(context.vantage),
            "started": .string(context.started.description),
            "finished": .string(context.finished.description),
            "plan": plan(context.plan),
            "resolvers": .array(
                report.rows.map { .object(Self.members(of: $0) + Self.certainty(of: $0)) }
            ),
            "comparisons": .array(report.evidence.flatMap { Self.comparisons($0, in: report) }),
            "advice": Self.advice(of: report),
            "instrument": InstrumentLines(of: report).json,
            "caveats": .array(
                report.caveats.map { ["code": .string($0.code), "text": .string($0.text)] }
            ),
        ]
        let whole = Self.members(of: EncryptionCost.all(of: report))
            .reduce(document) { $0.adding($1.name, $1.value) }
        return whole.text() + "\n"
    }

    /// Where nothing was asked both ways, there is nothing to say of it.
    static func members(of costs: [EncryptionCost]) -> [JSONValue.Member] {
        costs.isEmpty ? [] : [.init(name: "encryption", value: .array(costs.map(\.json)))]
    }

    private func plan(_ plan: ReportContext.Plan) -> JSONValue {
        [
            "rounds": .integer(plan.rounds),
            "interval_s": plan.interval.map {
                .number($0.milliseconds / 1000, least: 0, most: 6)
            } ?? .null,
            "timeout_s": .number(plan.timeout.milliseconds / 1000, least: 0, most: 6),
            "seed": plan.seed.map(JSONValue.unsigned) ?? .null,
            "names": .array((plan.names + plan.zones).map(JSONValue.string)),
            "types": .array(plan.types.map(JSONValue.string)),
            "series": .array(plan.series.map { .string($0.description) }),
        ]
    }

    /// What is said of one resolver.
    static func members(of row: ResolverRow) -> [JSONValue.Member] {
        let counts = row.counts
        let latency = row.latency
        let members: [(String, JSONValue)] = [
            ("name", .string(row.target.label)),
            ("endpoint", .string(row.target.endpoint)),
            ("transport", .string(row.target.transport.description)),
            ("series", .string(row.target.series.description)),
            ("sent", .integer(counts.sent)),
            ("answered", .integer(counts.answered)),
            ("timeouts", .integer(counts.timeouts)),
            ("failures", failures(counts)),
            ("filtered", .integer(counts.filtered)),
            ("offline", .integer(counts.offline)),
            ("blocked", .integer(counts.blocked)),
            (
                "failure_rate",
                counts.failureRate.fraction.map { .number($0, least: 1, most: 9) } ?? .null
            ),
            ("min_ms", .milliseconds(latency.minimum)),
            ("mean_ms", .milliseconds(latency.restrictedMean)),
            ("median_ms", .milliseconds(latency.median)),
            ("p90_ms", .milliseconds(latency.p90)),
            ("p95_ms", .milliseconds(latency.p95)),
            ("p99_ms", .milliseconds(latency.p99)),
            ("max_ms", .milliseconds(latency.maximum)),
            ("stddev_ms", .milliseconds(latency.standardDeviation)),
            ("jitter_ms", .milliseconds(latency.jitter)),
        ]
        return (members + row.surroundings.members + (row.connections?.members ?? [])).map {
            JSONValue.Member(name: $0.0, value: $0.1)
        }
    }

    /// The response codes in alphabetical order, then the two failures that always have a key.
    private static func failures(_ counts: OutcomeCounts) -> JSONValue {
        let codes = counts.responseCodes.sorted { $0.key < $1.key }
            .map { JSONValue.Member(name: $0.key, value: .integer($0.value)) }
        return .object(
            codes + [
                JSONValue.Member(name: "unreachable", value: .integer(counts.unreachable)),
                JSONValue.Member(name: "malformed", value: .integer(counts.malformed)),
            ]
        )
    }
}

extension JSONReport {
    /// The resolvers to configure; `null` where nothing was decided, or cannot be configured.
    static func advice(of report: ComparisonReport) -> JSONValue {
        guard let advice = report.series.first.flatMap({ Advice(in: $0, of: report) }) else {
            return .null
        }
        let pair = [advice.first, advice.second].compactMap(\.self)
        let failover = advice.failover
        let standard = StubFailover.standard(servers: failover.servers)
        return [
            "series": .string(advice.series.description),
            "switch": .bool(advice.isSwitch),
            "resolvers": .array(pair.map { .string($0.target.label) }),
            "addresses": .array(advice.addresses.map(JSONValue.string)),
            "resolv_conf": .array(advice.resolvConf.map(JSONValue.string)),
            "failover": [
                "timeout_s": .integer(failover.timeout),
                "attempts": .integer(failover.attempts),
                "wait_s": advice.second == nil ? .null : .integer(failover.wait),
                "then_ms": .milliseconds(advice.second?.latency.median),
                "surrender_s": .integer(failover.surrender),
                "default_wait_s": advice.second == nil ? .null : .integer(standard.wait),
                "default_surrender_s": .integer(standard.surrender),
            ],
        ]
    }
}

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
            "candidate_transport": .string(candidate.target.transport.description),
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
