import Samples
import Statistics

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

    var document: HistoryDocument {
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
        document.words = words
        document.json = json
        return document
    }

    private var json: JSONValue {
        HistoryHead(
            kind: "overview",
            context: context,
            provenance: Provenance(
                firstSample: hours.firstSample,
                firstSum: hours.firstSum,
                clock: context.clock
            ),
            log: hours.log,
            notes: changes.notes
        )
        .document(
            [
                .init(name: "headline", value: .string(headline)),
                .init(name: "in_use", value: inUse.map(JSONValue.string) ?? .null),
                .init(
                    name: "last_round",
                    value: lastRound.map { .string($0.description) } ?? .null
                ),
                .init(name: "spans", value: .array(spans.map(json))),
                .init(
                    name: "verdict",
                    value: verdict.map {
                        ["headline": .string($0.headline), "scope": .string($0.scope)]
                    } ?? .null
                ),
                .init(
                    name: "comparisons",
                    value: .array(
                        comparison.map { report in
                            report.evidence.flatMap { JSONReport.comparisons($0, in: report) }
                        } ?? []
                    )
                ),
                .init(name: "changes", value: .array(changes.findings.map(\.json))),
            ] + JSONReport.members(of: week?.encryption ?? [])
        )
    }

    private func json(_ span: Span) -> JSONValue {
        let window = span.report.context.window
        return [
            "span": .string(span.period.rawValue),
            "since": .string(window.lowerBound.description),
            "state": span.health.map { .string($0.state.rawValue) } ?? .null,
            "fastest": fastest(in: span).map(JSONValue.string) ?? .null,
            "rows": .array(
                span.report.rows.map { .object(JSONReport.members(of: $0.figures)) }
            ),
        ]
    }
}

extension String {
    /// With a capital where it begins with `there`; names stay as they are.
    fileprivate var sentenceBegin: String {
        hasPrefix("there was") ? "T" + dropFirst() : self
    }
}
