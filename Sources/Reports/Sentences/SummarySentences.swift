import Analysis
import Samples
import Statistics

/// The sentences of a ``Finding``.
struct SummarySentences {
    private let rows: [ResolverSummary]
    private let standing: SeriesSummary
    private let isBaselineInUse: Bool

    init(of rows: [ResolverSummary], isBaselineInUse: Bool = false) {
        self.rows = rows
        self.isBaselineInUse = isBaselineInUse
        standing = SeriesSummary(of: rows)
    }

    /// The answer to who was fastest, or why there is none.
    var headline: String {
        let asked = rows.filter { $0.latency.count > 0 }
        if asked.isEmpty { return nothingMeasured }
        let queries = asked.reduce(0) { $0 + $1.counts.measured }
        if asked.allSatisfy({ $0.counts.answered == 0 }) {
            return asked.count == 1
                ? "\(list(asked)) did not answer: \(lost(queries)). Check its address and the "
                    + "connection, then repeat it."
                : "No resolver answered: \(lost(queries)). Check the connection, then repeat it."
        }
        guard let best = standing.fastest.first, let median = best.latency.median else {
            return halfAnswered(asked)
        }
        let time = "in \(standing.format.prose(median)) at the median"
        if rows.count == 1 {
            return "\(list([best])) answered \(time). Nothing was measured to compare it with."
        }
        if asked.filter({ $0.counts.answered > 0 }).count == 1 {
            return "Only \(phrase(best)) answered, \(time)."
        }
        return fastest(asked, time: time) + comparison(of: best) + "."
    }

    /// Further sentences, most important first.
    var details: [String] {
        let lossy = standing.lossyAndFast.map(lossySentence)
        guard !standing.ranked.isEmpty else { return lossy }
        let mostlySilent = standing.mostlySilent.map { row in
            "\(list([row])) left most of its queries unanswered "
                + "(\(row.counts.lost) of \(row.counts.measured))."
        }
        let losses = standing.ranked
            .filter { $0.counts.lost > 0 && !standing.lossyAndFast.contains($0) }
            .map { "\($0.said) \($0.counts.failureRate.description)" }
        let (silent, unmeasured) = (standing.silent, standing.unmeasured)
        let verb = unmeasured.count == 1 ? "was" : "were"
        return lossy + mostlySilent
            + [
                silent.isEmpty ? nil : "\(list(silent)) did not answer at all.",
                losses.isEmpty ? nil : "Lost queries: \(losses.joined(separator: ", ")).",
                unmeasured.isEmpty ? nil : "\(list(unmeasured)) \(verb) not measured.",
                standing.ranked.count > 1 ? Warning.untestedDifference.text : nil,
            ]
            .compactMap(\.self)
    }

    /// Who was fastest, place by place and series by series, since only what is of one can be
    /// compared; then what else there is to say.
    static func comparisons(
        _ rows: [(place: String, row: ResolverSummary)],
        in order: [Series] = Series.allCases
    ) -> [String] {
        let several = Set(rows.map(\.row.target.series)).count > 1
        var headlines: [String] = []
        var details: [String] = []
        for place in Set(rows.map(\.place)).sorted() {
            for series in order {
                let rows = rows.filter { $0.place == place && $0.row.target.series == series }
                guard !rows.isEmpty else { continue }
                let speech = SummarySentences(of: rows.map(\.row))
                let opening = several ? "\(series.wording.sentenceStart): " : ""
                headlines.append(opening + speech.headline)
                for detail in speech.details where !(headlines + details).contains(detail) {
                    // Which series it is of must be told by where it stands.
                    if several { headlines.append(detail) } else { details.append(detail) }
                }
            }
        }
        return headlines + details
    }

    private func fastest(_ asked: [ResolverSummary], time: String) -> String {
        let best = standing.fastest
        let among = standing.lossyAndFast.isEmpty ? "" : "Of those that lost few or no queries, "
        if best.count == asked.count, best.count > 2 {
            return "All \(best.count) resolvers answered equally fast, \(time)"
        }
        let subject = among.isEmpty ? list(best) : plainList(best)
        let how = best.count == 1 ? "fastest" : "equally fast"
        return "\(among)\(subject) answered \(how), \(time)"
    }

    /// How far the baseline is behind the fastest; where it is not behind, how far the next one is.
    private func comparison(of best: ResolverSummary) -> String {
        let behind = standing.ranked.filter { row in
            !standing.fastest.contains(row) && !standing.lossyAndFast.contains(row)
        }
        if let baseline = behind.first(where: \.isBaseline) {
            guard let ahead = gap(best, baseline), let time = time(baseline) else { return "" }
            return isBaselineInUse
                ? ", \(ahead) sooner than what you use now (\(baseline.said), \(time))"
                : ", \(ahead) sooner than \(baseline.said) (\(time))"
        }
        guard let next = behind.first, let gap = gap(best, next), let time = time(next) else {
            return ""
        }
        return "; \(next.said) came next, \(gap) later (\(time))"
    }

    private func lossySentence(_ row: ResolverSummary) -> String {
        let isTied = time(row) == standing.fastest.first.flatMap(time)
        let speed = isTied ? "as fast" : "faster"
        return "\(list([row])) was \(speed) (\(time(row) ?? "")), but lost "
            + "\(row.counts.failureRate.description) of its queries."
    }

    private func halfAnswered(_ asked: [ResolverSummary]) -> String {
        func answeredShare(_ row: ResolverSummary) -> Double {
            Double(row.counts.answered) / Double(max(1, row.counts.measured))
        }
        guard let most = asked.max(by: { answeredShare($0) < answeredShare($1) }) else { return "" }
        let share = "\(most.counts.answered) of \(most.counts.measured)"
        return asked.count == 1
            ? "\(list([most])) answered less than half of its queries, \(share)."
            : "No resolver answered half of its queries; \(phrase(most)) answered the most, "
                + "\(share)."
    }

    private var nothingMeasured: String {
        if rows.contains(where: { $0.counts[.filtered] > 0 }) {
            return "Every answer blocks its name, which says nothing of speed. Ask for other "
                + "names, with --domain."
        }
        if rows.contains(where: { $0.counts[.offline] > 0 }) {
            return "Nothing was sent: there was no route to any resolver. Check the connection, "
                + "then repeat it."
        }
        if rows.contains(where: { $0.counts[.blocked] > 0 }) {
            return "Nothing was sent: every address lies outside --allow-net."
        }
        return "No resolver was measured."
    }

    private func lost(_ queries: Int) -> String {
        queries == 1 ? "the query was lost" : "all \(queries) queries were lost"
    }

    private func time(_ row: ResolverSummary) -> String? {
        row.latency.median.map(standing.format.prose)
    }

    /// The difference of the medians as they are shown, so that a reader's sum agrees.
    private func gap(_ near: ResolverSummary, _ far: ResolverSummary) -> String? {
        guard let near = near.latency.median, let far = far.latency.median else { return nil }
        let shown = { (value: Double) in Double(standing.format.number(value)) ?? value }
        return standing.format.prose(shown(far) - shown(near))
    }

    private func phrase(_ row: ResolverSummary) -> String {
        row.said(isInUse: row.isBaseline && isBaselineInUse)
    }

    private func plainList(_ rows: [ResolverSummary]) -> String {
        rows.sorted { $0.isBaseline && !$1.isBaseline }.map(phrase).listed
    }

    /// For the beginning of a sentence.
    private func list(_ rows: [ResolverSummary]) -> String {
        let text = plainList(rows)
        return text.hasPrefix("what you use now") ? "W" + text.dropFirst() : text
    }
}

extension ResolverSummary {
    /// The name, harmless for a terminal.
    var said: String { EscapedText.terminal(name) }

    /// The name, or `what you use now (NAME)`.
    func said(isInUse: Bool) -> String { isInUse ? "what you use now (\(said))" : said }
}

extension [String] {
    /// Such as `a, b and c`.
    package var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
