import Analysis
import Samples
import Statistics

/// Sentences of a tested comparison, as a knowing friend would: the sentences of a ``Finding``.
struct VerdictSentences {
    /// A candidate with all that is said of it.
    struct Subject {
        var target: Int
        var row: ResolverSummary
        var comparison: Comparison
    }

    let context: ReportContext
    let evidence: SeriesEvidence
    let baseline: ResolverSummary
    /// In the order of the table.
    let subjects: [Subject]
    let words: DifferencePhrases

    /// `nil` where nothing was held against a baseline.
    init?(in series: Series, of report: ComparisonReport) {
        guard let evidence = report.evidence(of: series), evidence.isTested,
            let baseline = evidence.baseline.flatMap(report.row)
        else { return nil }
        let rows = report.rows(of: series)
        self.evidence = evidence
        self.baseline = baseline
        context = report.context
        words = DifferencePhrases(format: LatencyFormat(fitting: rows.compactMap(\.latency.median)))
        let subjects = Dictionary(
            evidence.candidates.compactMap { candidate in
                report.row(ofTarget: candidate.target).map {
                    let comparison = candidate.comparison
                    return (
                        $0.target,
                        Subject(target: candidate.target, row: $0, comparison: comparison)
                    )
                }
            },
            uniquingKeysWith: { first, _ in first }
        )
        self.subjects = rows.compactMap { subjects[$0.target] }
    }

    /// Candidate that the answer is about: the best of those to switch to, else the most promising one that is
    /// open, else the nearest.
    var subject: Subject? {
        subjects.first { $0.comparison.verdict == .switch }
            ?? open.max { lead($0) < lead($1) }
            ?? subjects.max { lead($0) < lead($1) }
    }

    /// Those without a verdict.
    private var open: [Subject] {
        subjects.filter { [.undecided, .tooClose].contains($0.comparison.verdict) }
    }

    private func lead(_ subject: Subject) -> Double {
        subject.comparison.medianDifference ?? -.infinity
    }

    /// The answer.
    var headline: String {
        guard let subject else { return "" }
        return switch (subject.comparison.verdict, subject.comparison.reason) {
        case (.switch, .baselineSilent): silentBaseline(subject)
        case (.switch, _): yes(subject)
        case (.keep, _): no(subject)
        case (.tooClose, _): tooClose(subject)
        case (.undecided, .tail):
            "No clear gain: \(subject.row.said) answers \(typically(subject)) than "
                + "\(current), but on average \(mean(subject)): some of its answers take far longer."
        case (.undecided, .reliability):
            "Not yet: \(subject.row.said) answers \(typically(subject)) than \(current), but "
                + "\(failures(subject)), and whether it fails more often is open."
        case (.undecided, .interrupted): "Interrupted before it was sure: \(soFar(subject))."
        case (.undecided, _): notSure(subject)
        }
    }

    // MARK: - Verdicts

    private func yes(_ subject: Subject) -> String {
        let opening = context.isBaselineInUse ? "Yes, switch: " : "Yes, it is faster: "
        return opening + "\(subject.row.said) answers \(compared(subject))."
    }

    private func silentBaseline(_ subject: Subject) -> String {
        let count = subject.comparison.baselineFailures
        let share = "\(count.failures) of \(count.queries)"
        let time = subject.row.latency.median.map { ", in \(words.format.prose($0)) at the median" }
        return (context.isBaselineInUse ? "Yes, switch: " : "")
            + "\(current) left most queries unanswered (\(share)); "
            + "\(subject.row.said) answers\(time ?? "")."
    }

    private func no(_ subject: Subject) -> String {
        let opening =
            context.isBaselineInUse ? "No, keep \(current)" : "\(baseline.said) is the choice"
        guard subjects.count > 1 else { return alone(subject, opening: opening) }
        if subjects.allSatisfy({ $0.comparison.reason == .withinMargin }) {
            let others = subjects.count == 2 ? "both others" : "all \(subjects.count) others"
            return "\(opening): \(others) are about the same, within \(margin)."
        }
        let none = subjects.count == 2 ? "neither of the" : "none of the \(subjects.count)"
        return "\(opening): \(none) others is worth it; the nearest, "
            + "\(subject.row.said), \(objection(subject))."
    }

    private func alone(_ subject: Subject, opening: String) -> String {
        if subject.comparison.reason == .withinMargin {
            return (context.isBaselineInUse ? "No need to switch: " : "")
                + "\(subject.row.said) and \(current) are about the same, within \(margin)"
                + "\(medians(subject, separator: " against "))."
        }
        return "\(opening): \(subject.row.said) \(objection(subject))."
    }

    /// Why not, as the rest of a sentence about the candidate.
    func objection(_ subject: Subject) -> String {
        switch subject.comparison.reason {
        case .reliability: "fails more often: it \(failures(subject))"
        case .tampering: "does not tell the truth: it \(untruth(subject))"
        case .withinMargin: "is about the same, within \(margin)"
        default:
            subject.comparison.medianDifference.map { difference in
                difference > 0
                    ? "is sooner by no more than \(margin)"
                    : "answers \(typically(subject))\(medians(subject, separator: " against "))"
            } ?? "leaves most queries unanswered"
        }
    }

    func untruth(_ subject: Subject) -> String {
        context.tampering[subject.row.target.label].map(EscapedText.terminal)
            ?? "failed a check of its answers"
    }

    private func tooClose(_ subject: Subject) -> String {
        let gain = context.rules.margin > 0 ? "more than \(margin)" : "any difference at all"
        return "Too close to call: \(subject.row.said) answers \(compared(subject)), and "
            + "\(pieces(subject.comparison.rounds)) do not settle whether that is "
            + "\(gain)."
    }

    private func notSure(_ subject: Subject) -> String {
        let rounds = subject.comparison.rounds
        if rounds < context.rules.minimumRounds {
            let few =
                "\(pieces(rounds)) \(rounds == 1 ? "is" : "are") too few for a verdict"
            return "Not sure yet: \(few), which takes at least \(context.rules.minimumRounds). "
                + "\(soFar(subject).sentenceStart)."
        }
        return "Not sure yet: \(soFar(subject)), and \(pieces(rounds)) do not settle it."
    }

    /// So many pieces of evidence, such as `9 rounds`.
    private func pieces(_ count: Int) -> String {
        context.rules.unit == .hour ? count.of("hour", "hours") : count.of("round", "rounds")
    }

    private func soFar(_ subject: Subject) -> String {
        guard subject.comparison.medianDifference != nil else {
            return "so far \(subject.row.said) or \(current) left most queries unanswered"
        }
        return "so far \(subject.row.said) answers \(compared(subject))"
    }
}

extension String {
    /// Where it begins a sentence.
    var sentenceStart: String {
        hasPrefix("what you use now") || hasPrefix("so far") || hasPrefix("names")
            || hasPrefix("cached") || hasPrefix("first queries")
            ? prefix(1).uppercased() + dropFirst() : self
    }

    /// Where it goes on after a colon.
    var continued: String {
        let openings = ["Yes, ", "No, ", "No ", "Not ", "Too ", "Interrupted "]
        return openings.contains(where: hasPrefix) ? prefix(1).lowercased() + dropFirst() : self
    }
}

extension VerdictSentences {
    /// How sure it is, and for what time: `Sure to 95 % that it is between 6.9 and 9.4 ms, for now:`.
    var certainty: String {
        guard let subject else { return "" }
        let comparison = subject.comparison
        let isTold = ![.reliability, .tampering, .withinMargin].contains(comparison.reason)
        let when = comparison.unit == .round ? "for now" : "in general"
        guard let sure = words.certainty(comparison.interval, isTold: isTold) else {
            return "How large the difference is cannot be said from so little, \(when): "
        }
        let percent = DifferencePhrases.percent(comparison.confidence)
        return "Sure to \(percent) that \(sure), \(when): "
    }

    /// Further sentences, most important first.
    var details: [String] {
        guard let subject else { return [] }
        return others(than: subject) + [reliability(of: subject)].compactMap(\.self)
            + (subject.comparison.verdict == .switch ? [saving(subject)].compactMap(\.self) : [])
    }

    /// Losses that the run cannot exclude.
    private func reliability(of subject: Subject) -> String? {
        let count = subject.comparison.candidateFailures
        guard count.queries > 0 else { return nil }
        let seen =
            count.failures == 0
            ? "none of its \(count.queries.of("query", "queries"))"
            : "\(count.failures) of its \(count.queries.of("query", "queries"))"
        return "\(subject.row.said) lost \(seen); that it loses up to "
            + "\(DifferencePhrases.excluded(count)) cannot be excluded."
    }

    /// Three to five look-ups wait for each other on a page (Bozkurt et al. and others; the pages
    /// that Google gave as an example had 13, of them 5 in a row).
    private func saving(_ subject: Subject) -> String? {
        guard let difference = subject.comparison.medianDifference, difference > 0 else {
            return nil
        }
        let low = words.format.number(3 * difference)
        return "A page that needs 3 to 5 names one after the other, none of them remembered by the "
            + "browser or this machine, opens \(low) to \(words.format.cell(5 * difference)) sooner."
    }

    // MARK: - The others

    private func others(than subject: Subject) -> [String] {
        let rest = subjects.filter { $0.target != subject.target }
        let tied = rest.filter { other in
            other.comparison.verdict == subject.comparison.verdict
                && subject.comparison.verdict == .switch
                && !evidence.tellsApart(other.target, subject.target)
        }
        var sentences: [String] = []
        if !tied.isEmpty {
            sentences.append("\(list([subject] + tied)) cannot be told apart.")
        }
        let named = rest.filter { other in !tied.contains { $0.target == other.target } }
        let faster = named.filter { $0.comparison.verdict == .switch }
        if !faster.isEmpty {
            sentences.append("\(list(faster)) would be a gain too, though a smaller one.")
        }
        sentences += named.compactMap(singular)
        sentences += grouped(named)
        return sentences
    }

    /// Sentence on a candidate with something special.
    private func singular(_ other: Subject) -> String? {
        let label = other.row.said
        let comparison = other.comparison
        switch (comparison.verdict, comparison.reason) {
        case (.keep, .reliability), (.undecided, .reliability):
            let isFast = (comparison.medianDifference ?? -1) > context.rules.margin
            return "\(label) \(isFast ? "is faster too, but lost" : "lost") "
                + "\(other.row.counts.failureRate.description) of its queries: not advised."
        case (.keep, .tampering):
            let isFast = comparison.medianDifference != nil
            return "\(label) \(isFast ? "is fast, but " : "")does not tell the truth "
                + "(it \(untruth(other))): not advised."
        case (.undecided, .tail):
            return
                "\(label) answers \(typically(other)) than \(baseline.said), but on average "
                + "\(mean(other)): not advised."
        default: return nil
        }
    }

    private func grouped(_ others: [Subject]) -> [String] {
        let same = others.filter { $0.comparison.reason == .withinMargin }
        let slower = others.filter { $0.comparison.reason == .slower }
        let close = others.filter { $0.comparison.verdict == .tooClose }
        let unsure = others.filter {
            $0.comparison.verdict == .undecided
                && [.budget, .interrupted].contains($0.comparison.reason)
        }
        let verb = { (subjects: [Subject]) in subjects.count == 1 ? "is" : "are" }
        var sentences: [String] = []
        if !same.isEmpty {
            sentences.append(
                "\(list(same)) \(verb(same)) about the same as \(baseline.said), within "
                    + "\(margin)."
            )
        }
        if !slower.isEmpty {
            let by = context.rules.margin > 0 ? " by more than \(margin)" : ""
            sentences.append(
                "\(list(slower)) \(verb(slower)) not faster than \(baseline.said)\(by)."
            )
        }
        if !close.isEmpty { sentences.append("\(list(close)) \(verb(close)) too close to call.") }
        if !unsure.isEmpty { sentences.append("Of \(list(unsure)) nothing is sure yet.") }
        return sentences
    }
}
