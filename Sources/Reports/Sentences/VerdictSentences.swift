import Analysis
import Samples
import Statistics

/// Sentences of a tested comparison, as a knowing friend would: the sentences of a ``Finding``.
struct VerdictSentences {
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
        subjects = evidence.candidates
            .compactMap { one in report.places[one.target].map { (place: $0, candidate: one) } }
            .sorted { $0.place < $1.place }
            .map { place, candidate in
                Subject(
                    target: candidate.target,
                    row: report.rows[place],
                    comparison: candidate.comparison
                )
            }
    }

    /// Candidate that the answer is about: the best of those to switch to, else the nearest open one.
    var subject: Subject? {
        func nearest(_ subjects: [Subject]) -> Subject? {
            let leads = subjects.map { $0.comparison.medianDifference ?? -.infinity }
            return zip(subjects, leads).max { $0.1 < $1.1 }?.0
        }
        let open = subjects.filter { [.undecided, .tooClose].contains($0.comparison.verdict) }
        return subjects.first { $0.comparison.verdict == .switch } ?? nearest(open)
            ?? nearest(subjects)
    }

    var headline: String {
        guard let subject else { return "" }
        return switch (subject.comparison.verdict, subject.comparison.reason) {
        case (.switch, .baselineSilent): silentBaseline(subject)
        case (.switch, _):
            "\(context.isBaselineInUse ? "Yes, switch" : "Yes, it is faster"): "
                + "\(subject.row.said) answers \(compared(subject))."
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
        let areSame = subjects.allSatisfy { $0.comparison.reason == .withinMargin }
        if areSame, subjects.count == 1 {
            return (context.isBaselineInUse ? "No need to switch: " : "")
                + "\(subject.row.said) and \(current) are about the same, within \(margin)"
                + "\(medians(subject))."
        }
        if areSame {
            let others = subjects.count == 2 ? "both others" : "all \(subjects.count) others"
            return "\(opening): \(others) are about the same, within \(margin)."
        }
        if subjects.count == 1 { return "\(opening): \(subject.row.said) \(objection(subject))." }
        let none = subjects.count == 2 ? "neither of the" : "none of the \(subjects.count)"
        return "\(opening): \(none) others is worth it; the nearest, "
            + "\(subject.row.said), \(objection(subject))."
    }

    /// Why not, as the rest of a sentence about the candidate.
    private func objection(_ subject: Subject) -> String {
        switch subject.comparison.reason {
        case .reliability: "fails more often: it \(failures(subject))"
        case .tampering: "does not tell the truth: it \(untruth(subject))"
        case .withinMargin: "is about the same, within \(margin)"
        default:
            subject.comparison.medianDifference.map { difference in
                difference > 0
                    ? "is sooner by no more than \(margin)"
                    : "answers \(typically(subject))\(medians(subject))"
            } ?? "leaves most queries unanswered"
        }
    }

    private func untruth(_ subject: Subject) -> String {
        context.tampering[subject.row.target.label].map(EscapedText.terminal)
            ?? "failed a check of its answers"
    }

    private func tooClose(_ subject: Subject) -> String {
        let gain = context.rules.margin > 0 ? "more than \(margin)" : "any difference at all"
        return "Too close to call: \(subject.row.said) answers \(compared(subject)), and "
            + "\(pieces(subject.comparison.rounds)) do not settle whether that is \(gain)."
    }

    private func notSure(_ subject: Subject) -> String {
        let rounds = subject.comparison.rounds
        let least = context.rules.minimumRounds
        guard rounds < least else {
            return "Not sure yet: \(soFar(subject)), and \(pieces(rounds)) do not settle it."
        }
        return "Not sure yet: \(pieces(rounds)) \(rounds == 1 ? "is" : "are") too few for a "
            + "verdict, which takes at least \(least). \(soFar(subject).sentenceStart)."
    }

    private func pieces(_ count: Int) -> String { context.rules.unit.counted(count) }

    private func soFar(_ subject: Subject) -> String {
        subject.comparison.medianDifference == nil
            ? "so far \(subject.row.said) or \(current) left most queries unanswered"
            : "so far \(subject.row.said) answers \(compared(subject))"
    }

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
        return others(than: subject)
            + [reliability(of: subject), saving(subject)].compactMap(\.self)
    }

    private func reliability(of subject: Subject) -> String? {
        let count = subject.comparison.candidateFailures
        guard count.queries > 0 else { return nil }
        let lost = count.failures == 0 ? "none" : "\(count.failures)"
        let upper = ProportionInterval.anytime(successes: count.failures, of: count.queries)
            .upperBound
        return "\(subject.row.said) lost \(lost) of its \(count.queries.of("query", "queries")); "
            + "that it loses up to \((upper * 100).fixed(1)) % cannot be excluded."
    }

    /// Three to five look-ups wait for each other on a page (Bozkurt et al. and others; the pages
    /// that Google gave as an example had 13, of them 5 in a row).
    private func saving(_ subject: Subject) -> String? {
        guard subject.comparison.verdict == .switch,
            let difference = subject.comparison.medianDifference, difference > 0
        else { return nil }
        let low = words.format.number(3 * difference)
        return "A page that needs 3 to 5 names one after the other, none of them remembered by the "
            + "browser or this machine, opens \(low) to \(words.format.cell(5 * difference)) sooner."
    }

    private func others(than subject: Subject) -> [String] {
        let rest = subjects.filter { $0.target != subject.target }
        let gains = rest.filter { $0.comparison.verdict == .switch }
        let tied = gains.filter { !evidence.tellsApart($0.target, subject.target) }
        let faster = gains.filter { evidence.tellsApart($0.target, subject.target) }
        return (tied.isEmpty ? [] : ["\(list([subject] + tied)) cannot be told apart."])
            + (faster.isEmpty
                ? [] : ["\(list(faster)) would be a gain too, though a smaller one."])
            + rest.compactMap(singular) + grouped(rest)
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
        let by = context.rules.margin > 0 ? " by more than \(margin)" : ""
        let same = others.filter { $0.comparison.reason == .withinMargin }
        let slower = others.filter { $0.comparison.reason == .slower }
        let close = others.filter { $0.comparison.verdict == .tooClose }
        let unsure = others.filter {
            $0.comparison.verdict == .undecided
                && [.budget, .interrupted].contains($0.comparison.reason)
        }
        let known = [
            (same, "about the same as \(baseline.said), within \(margin)"),
            (slower, "not faster than \(baseline.said)\(by)"), (close, "too close to call"),
        ]
        return known.filter { !$0.0.isEmpty }.map { subjects, words in
            "\(list(subjects)) \(subjects.count == 1 ? "is" : "are") \(words)."
        } + (unsure.isEmpty ? [] : ["Of \(list(unsure)) nothing is sure yet."])
    }

    /// `what you use now (NAME)`, or the name.
    var current: String { baseline.said(isInUse: context.isBaselineInUse) }

    /// Such as `5 ms`.
    var margin: String { LatencyFormat.plain(context.rules.margin) }

    /// The difference that is typical, and both medians: such as `8.1 ms sooner than what you use now
    /// (harbour), 14.2 against 22.3 ms`.
    func compared(_ subject: Subject) -> String {
        let than = typically(subject) == "equally soon" ? "as" : "than"
        return "\(typically(subject)) \(than) \(current)\(medians(subject))"
    }

    /// The median difference, such as `8.1 ms sooner`.
    func typically(_ subject: Subject) -> String {
        subject.comparison.medianDifference.map(words.difference) ?? "otherwise"
    }

    /// Such as `, 14.2 against 22.3 ms`; nothing where one has no median.
    func medians(_ subject: Subject) -> String {
        guard let mine = subject.row.latency.median, let theirs = baseline.latency.median
        else { return "" }
        return ", " + words.pair(mine, "against", theirs)
    }

    func mean(_ subject: Subject) -> String {
        subject.comparison.meanDifference.map(words.difference) ?? "no sooner"
    }

    /// Such as `lost 9 of 90 queries, and harbour 0`.
    func failures(_ subject: Subject) -> String {
        let mine = subject.comparison.candidateFailures
        let theirs = subject.comparison.baselineFailures
        return "lost \(mine.failures) of \(mine.queries.of("query", "queries")) "
            + "(\(Share(part: mine.failures, whole: mine.queries).description)), and "
            + "\(baseline.said) \(theirs.failures)"
    }

    func list(_ subjects: [Subject]) -> String { subjects.map(\.row.said).listed }
}

extension ComparisonRules.Unit {
    /// So many pieces of evidence, such as `9 rounds`.
    func counted(_ count: Int) -> String {
        self == .hour ? count.of("hour", "hours") : count.of("round", "rounds")
    }
}

extension String {
    /// Where it begins a sentence.
    var sentenceStart: String {
        ["what you use now", "so far", "names", "cached", "first queries"]
            .contains(where: hasPrefix) ? prefix(1).uppercased() + dropFirst() : self
    }

    /// Where it goes on after a colon.
    var continued: String {
        let openings = ["Yes, ", "No, ", "No ", "Not ", "Too ", "Interrupted "]
        return openings.contains(where: hasPrefix) ? prefix(1).lowercased() + dropFirst() : self
    }
}
