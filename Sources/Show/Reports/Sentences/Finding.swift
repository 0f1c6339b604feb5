import Analysis
package import Samples
import Statistics

/// The finding of one series, in plain words.
package struct Finding: Hashable, Sendable {
    /// The verdict; without a test, the fastest resolver.
    package let headline: String
    /// The facts that support it, one each: the interval, losses, and open questions.
    package let details: [String]
    /// The amount of the measurement, such as `9 rounds of 8 of 10 names, 32 s, cached names.`
    package let scope: String

    /// The finding of a series. `below` the answer on a candidate it is only a statement.
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

    /// The answer of a section.
    init(_ section: Document.Section) {
        (headline, details, scope) = (section.headline, section.details, section.scope)
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
        // Rounds with many resolvers use a few of the names.
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
    /// The number of names per round, such as ` of 8 of`; `nil` if it is unknown, or all names.
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
        case .loaded: "cached names on a loaded line"
        case .loadedMarked: "cached names on a loaded line, marked"
        }
    }

    /// `name`, followed by the series if there are several in `all`.
    package func naming(_ name: String, among all: Set<Series>) -> String {
        all.count > 1 ? "\(name), \(self)" : name
    }
}
