import Analysis
import Catalogue
import Samples
import Statistics

extension ComparisonReport {
    /// The report for programs: schema `dnstempo.comparison/1`.
    ///
    /// Within it keys may be added, never changed. Times are milliseconds; a quantile that lies among
    /// the timeouts is `null`.
    var json: JSONValue {
        let document: JSONValue = [
            "schema": .string("dnstempo.comparison/1"),
            "tool": ["name": .string("dnstempo"), "version": .string(context.toolVersion)],
            "vantage": .string(context.vantage),
            "started": .string(context.started.description),
            "finished": .string(context.finished.description),
            "plan": context.plan.json,
            "resolvers": .array(
                rows.map {
                    $0.members + ResolverSummary.certainty.members(of: $0) + departure(of: $0)
                        + limit(of: $0)
                }
            ),
            "comparisons": .array(comparisons),
            "advice": Advice(of: self)?.json ?? .null,
            "instrument": InstrumentLines(of: self).json,
            "caveats": .array(warnings.map(\.json)),
        ]
        // Of several runs none is meant.
        let run: JSONValue =
            recording.runs.count == 1 ? ["run": .string(recording.runs[0].id)] : [:]
        return document + run + combined + EncryptionCost.all(of: self).members
            + context.notMeasured + strategyMembers + registeredMembers
    }

    /// That a resolver was not asked to the end, and the resolvers that it is no better than.
    private func departure(of row: ResolverSummary) -> JSONValue {
        guard let departure = row.departure else { return [:] }
        let betters = departure.betters.map { JSONValue.string(recording.targets[$0].label) }
        return [
            "queried_rounds": .integer(departure.rounds), "no_faster_than": .array(betters),
            "stopped_for": .string(departure.reason.rawValue),
        ]
    }

    /// The limit of the rate of queries that a resolver seems to have.
    private func limit(of row: ResolverSummary) -> JSONValue {
        let target = recording.targets.firstIndex(of: row.target)
        guard let limit = target.flatMap({ quality.limited[$0] }) else { return [:] }
        return ["rate_limit": limit.json]
    }

    var comparisons: [JSONValue] {
        evidence.flatMap { comparisons($0.candidates, of: $0) { $0.description } }
    }

    /// Comparisons over cached and uncached names together, where both were compared.
    private var combined: JSONValue {
        guard let evidence = evidence(of: .cached), !evidence.whole.isEmpty else { return [:] }
        return [
            "combined": [
                "hit_share": .number(PairedRound.hitShare, least: 1, most: 9),
                "comparisons": .array(
                    comparisons(evidence.whole, of: evidence) { _ in "cached,uncached" }
                ),
            ]
        ]
    }

    private func comparisons(
        _ candidates: [SeriesEvidence.Candidate],
        of evidence: SeriesEvidence,
        series: (Series) -> String
    ) -> [JSONValue] {
        guard let baseline = evidence.baseline.flatMap(row) else { return [] }
        return candidates.compactMap { candidate in
            row(ofTarget: candidate.target).map { row in
                let name = series(row.target.series)
                return Self.json(candidate.comparison, of: row, with: baseline, in: name)
                    + (candidate.content?.members ?? [:])
            }
        }
    }

    /// An open end of the interval is `null`; the logarithms have all their digits.
    private static func json(
        _ comparison: Comparison,
        of candidate: ResolverSummary,
        with baseline: ResolverSummary,
        in series: String
    ) -> JSONValue {
        [
            "baseline": .string(baseline.target.label),
            "baseline_endpoint": .string(baseline.target.endpoint),
            "baseline_transport": .string(baseline.target.transport.description),
            "candidate": .string(candidate.target.label),
            "candidate_endpoint": .string(candidate.target.endpoint),
            "candidate_transport": .string(candidate.target.transport.description),
            "series": .string(series),
            "unit": .string(comparison.unit.rawValue),
            "rounds": .integer(comparison.rounds),
            "pairs": .integer(comparison.pairs),
            "median_difference_ms": .milliseconds(comparison.medianDifference),
            "statistic": .string(comparison.statistic == .median ? "median" : "mean"),
            "mean_difference_ms": .milliseconds(comparison.meanDifference),
            "ci_ms": comparison.interval.json,
            "confidence": .number(comparison.confidence, least: 2, most: 9),
            "log_e_faster": .exact(comparison.logEFaster),
            "log_e_slower": .exact(comparison.logESlower),
            "probability_faster": comparison.probabilityFaster.map { .exact($0) } ?? .null,
            "margin_ms": .milliseconds(comparison.margin),
            "verdict": .string(comparison.verdict.rawValue),
            "reason": .string(comparison.reason.rawValue),
        ]
    }
}

extension ContentComparison {
    /// The time to content: look-up and TCP connect together, with a verdict of its own.
    fileprivate var members: JSONValue {
        [
            "content": [
                "rounds": .integer(comparison.rounds),
                "difference_ms": .milliseconds(comparison.medianDifference),
                "ci_ms": comparison.interval.json,
                "confidence": .number(comparison.confidence, least: 2, most: 9),
                "query_difference_ms": .milliseconds(lookUp),
                "connect_difference_ms": .milliseconds(connection),
                "connects": .integer(connections),
                "baseline_unconnected": .integer(baselineUnconnected),
                "candidate_unconnected": .integer(candidateUnconnected),
                "https_estimate_ms": .milliseconds(firstOctet),
                "log_e_faster": .exact(comparison.logEFaster),
                "log_e_slower": .exact(comparison.logESlower),
                "margin_ms": .milliseconds(comparison.margin),
                "verdict": .string(comparison.verdict.rawValue),
                "reason": .string(comparison.reason.rawValue),
            ]
        ]
    }
}

extension DifferenceInterval {
    /// In milliseconds; an open end is `null`.
    var json: JSONValue { .array([.milliseconds(lower), .milliseconds(upper)]) }
}

extension [EncryptionCost] {
    /// Where nothing was asked both ways, there is nothing to say of it.
    var members: JSONValue {
        isEmpty ? [:] : ["encryption": .array(map(\.json))]
    }
}

extension ReportContext {
    /// Where all were measured, there is nothing to say of it.
    fileprivate var notMeasured: JSONValue {
        let left = unmeasured.map { left -> JSONValue in
            [
                "resolver": .string(left.target.label),
                "name": .string(left.target.label),
                "endpoint": .string(left.target.endpoint),
                "transport": .string(left.target.transport.description),
                "reason": .string(left.reason),
            ]
        }
        return left.isEmpty ? [:] : ["not_measured": .array(left)]
    }
}

extension ReportContext.Plan {
    fileprivate var json: JSONValue {
        [
            "rounds": .integer(rounds),
            "interval_s": interval.map {
                .number($0.milliseconds / 1000, least: 0, most: 6)
            } ?? .null,
            "timeout_s": .number(timeout.milliseconds / 1000, least: 0, most: 6),
            "seed": seed.map(JSONValue.unsigned) ?? .null,
            "names": .array((names + zones).map(JSONValue.string)),
            "types": .array(types.map(JSONValue.string)),
            "series": .array(series.map { .string($0.description) }),
        ] + (sampling.map { ["sampling": .string($0.rawValue)] } ?? [:])
    }
}

extension Advice {
    fileprivate var json: JSONValue {
        let pair = [first, second].compactMap(\.self)
        let standard = failover.standard
        return [
            "series": .string(series?.description ?? "cached,uncached"),
            "switch": .bool(isSwitch),
            "resolvers": .array(pair.map { .string($0.target.label) }),
            "addresses": .array(addresses.map(JSONValue.string)),
            "resolv_conf": .array(resolvConf.map(JSONValue.string)),
            "failover": [
                "timeout_s": .integer(failover.timeout),
                "attempts": .integer(failover.attempts),
                "wait_s": second == nil ? .null : .integer(failover.timeout),
                "then_ms": .milliseconds(second?.latency.median),
                "surrender_s": .integer(failover.surrender),
                "default_wait_s": second == nil ? .null : .integer(standard.timeout),
                "default_surrender_s": .integer(standard.surrender),
            ],
        ]
    }
}
