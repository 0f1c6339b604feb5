import Samples
import Statistics

extension VerdictSpeech {
    /// How sure it is, and for what time: `Sure to 95 % that it is between 6.9 and 9.4 ms, for now:`.
    var certainty: String {
        guard let subject else { return "" }
        let comparison = subject.comparison
        let isTold = ![.reliability, .tampering, .withinMargin].contains(comparison.reason)
        let when = comparison.unit == .round ? "for now" : "in general"
        guard let sure = words.certainty(comparison.interval, isTold: isTold) else {
            return "How large the difference is cannot be said from so little, \(when): "
        }
        let percent = DifferenceWords.percent(comparison.confidence)
        return "Sure to \(percent) that \(sure), \(when): "
    }

    /// What else there is to say, most important first.
    var details: [String] {
        guard let subject else { return [] }
        return others(than: subject) + [reliability(of: subject)].compactMap(\.self)
            + (subject.comparison.verdict == .switch ? [saving(subject)].compactMap(\.self) : [])
    }

    /// What the run cannot exclude.
    private func reliability(of subject: Subject) -> String? {
        let count = subject.comparison.candidateFailures
        guard count.queries > 0 else { return nil }
        let seen =
            count.failures == 0
            ? "none of its \(count.queries.of("query", "queries"))"
            : "\(count.failures) of its \(count.queries.of("query", "queries"))"
        return "\(name(subject.row.name)) lost \(seen); that it loses up to "
            + "\(DifferenceWords.excluded(count)) cannot be excluded."
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

    /// Of those about whom there is something special.
    private func singular(_ other: Subject) -> String? {
        let label = name(other.row.name)
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
                "\(label) answers \(typically(other)) than \(name(baseline.name)), but on average "
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
                "\(list(same)) \(verb(same)) about the same as \(name(baseline.name)), within "
                    + "\(margin)."
            )
        }
        if !slower.isEmpty {
            let by = context.rules.margin > 0 ? " by more than \(margin)" : ""
            sentences.append(
                "\(list(slower)) \(verb(slower)) not faster than \(name(baseline.name))\(by)."
            )
        }
        if !close.isEmpty { sentences.append("\(list(close)) \(verb(close)) too close to call.") }
        if !unsure.isEmpty { sentences.append("Of \(list(unsure)) nothing is sure yet.") }
        return sentences
    }
}
