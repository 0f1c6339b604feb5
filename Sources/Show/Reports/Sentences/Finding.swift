import Analysis
package import Samples
import Statistics

/// Finding of one series, in plain words.
package struct Finding: Hashable, Sendable {
    /// Whether to switch, or where that was not tested, who was fastest.
    package let headline: String
    /// Facts that it rests on, one each: how sure it is, who lost queries, and what is not known.
    package let details: [String]
    /// How much was measured, such as `9 rounds of 8 of 10 names, 32 s, cached names.`
    package let scope: String

    /// Finding of a series, a statement alone where it stands `below` the answer on a candidate.
    init(
        in series: Series,
        of report: ComparisonReport,
        below subject: VerdictSentences.Subject? = nil
    ) {
        scope = Self.scope(of: series, in: report)
        let opening = report.series.count > 1 ? "\(series.wording.sentenceStart): " : ""
        let sentences = VerdictSentences(in: series, of: report)
        if let subject, let statement = sentences?.statement(on: subject.row.target.label) {
            headline = opening + statement.headline
            details = statement.details
        } else if let sentences {
            headline = opening.isEmpty ? sentences.headline : opening + sentences.headline.continued
            details = sentences.details
        } else {
            let sentences = SummarySentences(
                of: report.rows(of: series),
                isBaselineInUse: report.context.isBaselineInUse
            )
            headline = (report.series.contains(.first) ? opening : "") + sentences.headline
            details = sentences.details
        }
    }

    /// The answer over several series. Each series states how much was measured.
    init(_ sentences: VerdictSentences) {
        (headline, details, scope) = (sentences.headline, sentences.details, "")
    }

    private static func scope(of series: Series, in report: ComparisonReport) -> String {
        let plan = report.context.plan
        let span = LatencyFormat.span(report.context.span)
        if series == .asFound {
            let names = plan.names.count.of("name", "names")
            return "\(names), each once, \(span), \(series.wording)."
        }
        let all = plan.isUntilSure ? report.rounds : max(plan.rounds, report.rounds)
        let rounds = (report.rounds < all ? "\(report.rounds) of " : "") + all.of("round", "rounds")
        // Hours have no names.
        let asked =
            series.asksCachedNames || plan.zones.isEmpty
            ? plan.names.isEmpty ? "" : " of " + plan.names.count.of("name", "names")
            : " of " + plan.zones.count.of("zone", "zones")
        // Rounds that ask many resolvers take a few of the names.
        let most = report.rows(of: series).map(\.counts.sent).max() ?? 0
        let isInParts = series == .cached && most < report.rounds * max(1, plan.names.count)
        let drawn = isInParts ? names(of: series, in: report) ?? " of up to" : " of"
        let upTo = asked.replacing(" of", with: drawn, maxReplacements: 1)
        let list = plan.types.map(EscapedText.terminal).joined(separator: ", ")
        let types = ["", "A"].contains(list) ? "" : " (\(list))"
        return "\(rounds)\(upTo)\(types), \(span), \(series.wording)."
    }
}

extension Finding {
    /// How many of the names each round drew, such as ` of 8 of`; `nil` where that is not known, or was all.
    private static func names(of series: Series, in report: ComparisonReport) -> String? {
        let names = report.tally?.queries.namesPerRound(of: series, in: report.recording)
        guard let names, names.lowerBound < report.context.plan.names.count else { return nil }
        return names.count == 1
            ? " of \(names.lowerBound) of" : " of \(names.lowerBound) to \(names.upperBound) of"
    }
}

extension Series {
    /// The names of the series, such as `cached names`.
    var wording: String {
        switch self {
        case .cached: "cached names"
        case .uncached: "uncached names"
        case .first: "first queries of a connection"
        case .asFound: "as-found names"
        case .browser: "look-ups of a browser"
        }
    }

    /// `name`, with the series behind it where there are `all` these.
    package func naming(_ name: String, among all: Set<Series>) -> String {
        all.count > 1 ? "\(name), \(self)" : name
    }
}
