import Samples
import Statistics

extension VerdictSpeech {
    /// `what you use now (NAME)`, or the name.
    var current: String {
        context.isBaselineInUse
            ? "what you use now (\(name(baseline.name)))" : name(baseline.name)
    }

    /// Such as `5 ms`.
    var margin: String { LatencyFormat.plain(context.rules.margin) }

    /// The difference that is typical, and both medians: such as `8.1 ms sooner than what you use now
    /// (harbour), 14.2 against 22.3 ms`.
    func compared(_ subject: Subject) -> String {
        let than = typically(subject) == "equally soon" ? "as" : "than"
        return "\(typically(subject)) \(than) \(current)\(medians(subject, separator: " against "))"
    }

    /// The median difference, such as `8.1 ms sooner`.
    func typically(_ subject: Subject) -> String {
        subject.comparison.medianDifference.map(words.difference) ?? "otherwise"
    }

    /// Such as `, 14.2 against 22.3 ms`; nothing where one has no median.
    func medians(_ subject: Subject, separator: String) -> String {
        guard let mine = subject.row.latency.median, let theirs = baseline.latency.median
        else { return "" }
        let format = words.format
        return max(mine, theirs) < 1000
            ? ", \(format.number(mine))\(separator)\(format.cell(theirs))"
            : ", \(format.prose(mine))\(separator)\(format.prose(theirs))"
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
            + "\(name(baseline.name)) \(theirs.failures)"
    }

    /// Names joined for a sentence.
    func list(_ subjects: [Subject]) -> String {
        let names = subjects.map { name($0.row.name) }
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
