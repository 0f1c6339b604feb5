import Analysis
import Samples
import Statistics

/// The sentences of a ``Finding``.
struct SummarySentences {
    private let rows: [ResolverSummary]
    private let summary: SeriesSummary
    private let isBaselineInUse: Bool
    /// The proposed test for a difference that was not tested, as a clause. Empty without a proposal; `nil`
    /// if another sentence mentions it.
    private let remedy: String?

    init(of rows: [ResolverSummary], isBaselineInUse: Bool = false, remedy: String? = "") {
        self.rows = rows
        self.isBaselineInUse = isBaselineInUse
        self.remedy = remedy
        summary = SeriesSummary(of: rows)
    }

    /// The fastest resolver, or the reason why no resolver was fastest.
    var headline: String {
        let asked = rows.filter { $0.latency.count > 0 }
        if asked.isEmpty { return nothingMeasured }
        let queries = asked.reduce(0) { $0 + $1.counts.measured }
        if asked.allSatisfy({ $0.counts.answered == 0 }) {
            if asked.contains(where: { $0.counts[.wrong] > 0 }) {
                return "No answer was as expected: \(all(queries, "failed"))."
            }
            guard asked.allSatisfy({ $0.counts.lost == $0.counts.failed }) else {
                guard asked.count == 1, let reason = FailureReason(of: asked[0]) else {
                    return "No resolver gave a usable answer: \(all(queries, "failed"))."
                }
                return "\(list(asked)) \(reason.predicate): \(reason.remedy)."
            }
            let lost = all(queries, "lost")
            return asked.count == 1
                ? "\(list(asked)) did not answer: \(lost). Check its address and the connection, "
                    + "then repeat it."
                : "No resolver answered: \(lost). Check the connection, then repeat it."
        }
        guard let best = summary.fastest.first, let median = best.latency.median else {
            return halfAnswered(asked)
        }
        let time = "median \(summary.format.prose(median))"
        if rows.count == 1 { return "\(list([best])): \(time)." }
        if asked.filter({ $0.counts.answered > 0 }).count == 1 {
            let isHeard = asked.contains {
                $0.counts.answered == 0 && $0.counts.lost < $0.counts.failed
            }
            if asked.count == 1 { return "Only \(phrase(best)) was measured: \(time)." }
            let those = summary.unmeasured.isEmpty ? "Only" : "Of those measured only"
            return "\(those) \(phrase(best)) "
                + "\(isHeard ? "gave usable answers" : "answered"): \(time)."
        }
        return "\(fastest(of: asked)): \(time)."
    }

    /// Further facts, most important first.
    var details: [String] {
        let lossyAndFast = summary.lossyAndFast.map(lossySentence)
        guard !summary.ranked.isEmpty else {
            return lossyAndFast + (rows.count > 1 ? reasons(summary.silent) : [])
        }
        let mostlySilent = summary.mostlySilent.map { row in
            Self.isLate(row)
                ? "\(list([row])) \(Self.late)."
                : "\(list([row])) \(FailureNoun(of: row).prevails(in: row.failures)) "
                    + "(\(row.counts.failed) of \(row.counts.measured))."
        }
        let said = Set(summary.lossyAndFast)
        let lossy = summary.ranked.filter { $0.counts.failed > 0 && !said.contains($0) }
        let noun = FailureNoun(of: lossy.map(\.counts)).text.sentenceStart
        let shares = lossy.map { "\($0.said) \($0.counts.failureRate.description)" }
        let silent = summary.silent.filter { $0.counts.lost == $0.counts.failed }
        let others = summary.silent.filter { !silent.contains($0) }
        let failing = others.filter { FailureReason(of: $0) == nil }
        let unmeasured = summary.unmeasured
        let verb = unmeasured.count == 1 ? "was" : "were"
        return [next].compactMap(\.self) + lossyAndFast + mostlySilent
            + [
                silent.isEmpty ? nil : "\(list(silent)) did not answer at all.",
                reasons(others).isEmpty ? nil : reasons(others).joined(separator: " "),
                failing.isEmpty ? nil : "\(list(failing)) gave no usable answer at all.",
                shares.isEmpty ? nil : "\(noun): \(shares.joined(separator: ", ")).",
                unmeasured.isEmpty ? nil : "\(list(unmeasured)) \(verb) not measured.",
                summary.ranked.count > 1 ? remedy.map(Self.untested) : nil,
            ]
            .compactMap(\.self)
    }

    /// The reasons for missing answers. The notes have the remedies.
    private func reasons(_ rows: [ResolverSummary]) -> [String] {
        rows.compactMap { row in
            FailureReason(of: row).map { "\(list([row])) \($0.predicate)." }
        }
    }

    /// The sentence that a difference was not tested, with the proposed test.
    static func untested(_ remedy: String) -> String {
        let note = Warning.untestedDifference
        let sentence = remedy.isEmpty ? "" : " \(remedy.sentenceStart)."
        return "\(note.observation) \(note.kind.meaning)\(sentence)"
    }

    /// The fastest of each series, because only resolvers of one series can be compared. Then the other
    /// sentences.
    static func comparisons(
        _ rows: [ResolverSummary],
        in order: [Series] = Series.allCases,
        remedy: String?
    ) -> [String] {
        let several = Set(rows.map(\.target.series)).count > 1
        var headlines: [String] = []
        var details: [String] = []
        var said: Set<String> = []
        for series in order {
            let rows = rows.filter { $0.target.series == series }
            guard !rows.isEmpty else { continue }
            let speech = SummarySentences(of: rows, remedy: remedy)
            let opening = several ? "\(series.wording.sentenceStart): " : ""
            headlines.append(opening + speech.headline)
            said.insert(opening + speech.headline)
            for detail in speech.details where said.insert(detail).inserted {
                // The position of the sentence must show its series.
                if several { headlines.append(detail) } else { details.append(detail) }
            }
        }
        return headlines + details
    }

    private func fastest(of asked: [ResolverSummary]) -> String {
        let best = summary.fastest
        if best.count == asked.count, best.count > 2 {
            return "All \(best.count) resolvers were equally fast"
        }
        let how = best.count == 1 ? "was fastest" : "were equally fast"
        let among = summary.among.map { " \($0)" } ?? ""
        return "\(list(best)) \(how)\(among)"
    }

    /// The baseline, if it is slower than the fastest; otherwise the next resolver.
    private var next: String? {
        let said = Set(summary.fastest + summary.lossyAndFast)
        let behind = summary.ranked.filter { !said.contains($0) }
        guard summary.fastest.first?.latency.median != nil,
            let next = behind.first(where: \.isBaseline) ?? behind.first, let time = time(next)
        else { return nil }
        return next.isBaseline ? "\(list([next])): median \(time)." : "Next: \(next.said), \(time)."
    }

    private func lossySentence(_ row: ResolverSummary) -> String {
        let isTied = time(row) == summary.fastest.first.flatMap(time)
        return "\(list([row])): \(isTied ? "as fast" : "faster") (\(time(row) ?? "")), but "
            + "\(FailureNoun(of: row).text) \(row.counts.failureRate.description)."
    }

    /// The predicate of a resolver without a median.
    static let late = "answered less than half of the queries within the timeout"

    /// Whether a resolver without a median answered most queries, but later than the shortest timeout of the
    /// runs.
    private static func isLate(_ row: ResolverSummary) -> Bool {
        row.counts.answered * 2 > row.counts.measured
    }

    private func halfAnswered(_ asked: [ResolverSummary]) -> String {
        func answeredShare(_ row: ResolverSummary) -> Double {
            Double(row.counts.answered) / Double(max(1, row.counts.measured))
        }
        guard let most = asked.max(by: { answeredShare($0) < answeredShare($1) }) else { return "" }
        let share = "\(most.counts.answered) of \(most.counts.measured)"
        if Self.isLate(most) {
            return asked.count == 1
                ? "\(list([most])) \(Self.late)."
                : "No resolver answered half of its queries within the timeout."
        }
        return asked.count == 1
            ? "\(list([most])) answered less than half of the queries (\(share))."
            : "No resolver answered half of its queries; most: \(phrase(most)) (\(share))."
    }

    private var nothingMeasured: String {
        let reasons: [(Outcome, String)] = [
            (
                .filtered,
                "Every answer blocks its name, which says nothing of speed. Query other names."
            ),
            (
                .offline,
                "Nothing was sent: there was no route to any resolver. Check the connection, then "
                    + "repeat it."
            ),
            (.blocked, "Nothing was sent: every address lies outside the allowed networks."),
        ]
        return reasons.first { outcome, _ in rows.contains { $0.counts[outcome] > 0 } }?.1
            ?? "No resolver was measured."
    }

    private func all(_ queries: Int, _ word: String) -> String {
        let (one, many) = word == "lost" ? ("was lost", "were lost") : (word, word)
        return queries == 1 ? "the query \(one)" : "all \(queries) queries \(many)"
    }

    private func time(_ row: ResolverSummary) -> String? {
        row.latency.median.map(summary.format.prose)
    }

    private func phrase(_ row: ResolverSummary) -> String {
        row.said(isInUse: row.isBaseline && isBaselineInUse)
    }

    private func plainList(_ rows: [ResolverSummary]) -> String {
        rows.sorted { $0.isBaseline && !$1.isBaseline }.map(phrase).listed
    }

    /// The text with a capital, for the start of a sentence.
    private func list(_ rows: [ResolverSummary]) -> String {
        let text = plainList(rows)
        return text.hasPrefix("your current resolver") ? text.sentenceStart : text
    }
}

extension ResolverSummary {
    /// The name, harmless for a terminal.
    var said: String { EscapedText.terminal(name) }

    /// The name, or `your current resolver (NAME)`.
    func said(isInUse: Bool) -> String { isInUse ? "your current resolver (\(said))" : said }
}

extension [String] {
    /// The list in words, such as `a, b and c`.
    package var listed: String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + last
    }
}
