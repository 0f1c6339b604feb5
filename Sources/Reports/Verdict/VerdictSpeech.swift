import Samples
import Statistics

/// What a tested comparison says, as a knowing friend would: the sentences of a ``Finding``.
struct VerdictSpeech {
    /// A candidate with all that is said of it.
    struct Subject {
        var target: Int
        var row: ResolverRow
        var comparison: Comparison
    }

    let context: ReportContext
    let evidence: SeriesEvidence
    let baseline: ResolverRow
    /// In the order of the table.
    let subjects: [Subject]
    let words: DifferenceWords
    let name: (String) -> String

    /// `nil` where nothing was held against a baseline.
    init?(
        in series: Series,
        of report: ComparisonReport,
        name: @escaping (String) -> String
    ) {
        guard let evidence = report.evidence(of: series), evidence.isTested,
            let baseline = evidence.baseline.flatMap(report.row)
        else { return nil }
        let rows = report.rows(of: series)
        self.evidence = evidence
        self.baseline = baseline
        self.name = name
        context = report.context
        words = DifferenceWords(format: LatencyFormat(fitting: rows.compactMap(\.latency.median)))
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

    /// Whom the answer is about: the best of those to switch to, else the most promising one that is
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
            "No clear gain: \(name(subject.row.name)) answers \(typically(subject)) than "
                + "\(current), but on average \(mean(subject)): some of its answers take far longer."
        case (.undecided, .reliability):
            "Not yet: \(name(subject.row.name)) answers \(typically(subject)) than \(current), but "
                + "\(failures(subject)), and whether it fails more often is open."
        case (.undecided, .interrupted): "Interrupted before it was sure: \(soFar(subject))."
        case (.undecided, _): notSure(subject)
        }
    }

    // MARK: - Verdicts

    private func yes(_ subject: Subject) -> String {
        let opening = context.isBaselineInUse ? "Yes, switch: " : "Yes, it is faster: "
        return opening + "\(name(subject.row.name)) answers \(compared(subject))."
    }

    private func silentBaseline(_ subject: Subject) -> String {
        let count = subject.comparison.baselineFailures
        let share = "\(count.failures) of \(count.queries)"
        let time = subject.row.latency.median.map { ", in \(words.format.prose($0)) at the median" }
        return (context.isBaselineInUse ? "Yes, switch: " : "")
            + "\(current) left most queries unanswered (\(share)); "
            + "\(name(subject.row.name)) answers\(time ?? "")."
    }

    private func no(_ subject: Subject) -> String {
        let opening =
            context.isBaselineInUse ? "No, keep \(current)" : "\(name(baseline.name)) is the choice"
        guard subjects.count > 1 else { return alone(subject, opening: opening) }
        if subjects.allSatisfy({ $0.comparison.reason == .withinMargin }) {
            let others = subjects.count == 2 ? "both others" : "all \(subjects.count) others"
            return "\(opening): \(others) are about the same, within \(margin)."
        }
        let none = subjects.count == 2 ? "neither of the" : "none of the \(subjects.count)"
        return "\(opening): \(none) others is worth it; the nearest, "
            + "\(name(subject.row.name)), \(objection(subject))."
    }

    private func alone(_ subject: Subject, opening: String) -> String {
        if subject.comparison.reason == .withinMargin {
            return (context.isBaselineInUse ? "No need to switch: " : "")
                + "\(name(subject.row.name)) and \(current) are about the same, within \(margin)"
                + "\(medians(subject, separator: " against "))."
        }
        return "\(opening): \(name(subject.row.name)) \(objection(subject))."
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
        return "Too close to call: \(name(subject.row.name)) answers \(compared(subject)), and "
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
            return "so far \(name(subject.row.name)) or \(current) left most queries unanswered"
        }
        return "so far \(name(subject.row.name)) answers \(compared(subject))"
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
