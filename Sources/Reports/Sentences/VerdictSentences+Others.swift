import Analysis
import Samples
import Statistics

/// Sentences on the candidates that the answer is not about.
extension VerdictSentences {
    func others(than subject: Subject) -> [String] {
        let rest = subjects.filter { $0.target != subject.target }
        let gains = rest.filter { $0.comparison.verdict == .switch }
        let tied = gains.filter { isSlower($0, than: subject) == false }
        let slower = gains.filter { isSlower($0, than: subject) == true }
        let untold = gains.filter { isSlower($0, than: subject) == nil }
        return (tied.isEmpty ? [] : ["\(list([subject] + tied)): no significant difference."])
            + (slower.isEmpty ? [] : ["\(list(slower)): also faster, by less."])
            + (untold.isEmpty ? [] : ["\(list(untold)): also faster than \(baseline.said)."])
            + rest.compactMap(singular) + grouped(rest)
    }

    /// Whether one gains less than the one to switch to; `nil` where the two were not compared: not
    /// all are ranked, and over several series none is.
    private func isSlower(_ other: Subject, than subject: Subject) -> Bool? {
        let targets = [other.target, subject.target]
        guard !isWhole, targets.allSatisfy({ evidence.rank(of: $0) != nil }) else { return nil }
        return evidence.tellsApart(other.target, subject.target)
    }

    /// Sentence on a candidate with something special.
    private func singular(_ other: Subject) -> String? {
        let label = other.row.said
        let comparison = other.comparison
        let speed = comparison.isFaster == true ? "faster, but " : ""
        switch (comparison.verdict, comparison.reason) {
        case (.keep, .reliability), (.undecided, .reliability):
            let loss = other.row.counts.failureRate.description
            return "\(label): \(speed)\(noun(of: other).text) \(loss) (\(baseline.said): "
                + "\(baseline.counts.failureRate.description)), not recommended."
        case (.keep, .tampering): return "\(label): \(speed)\(untruth(other)), not recommended."
        case (.undecided, .tail):
            return "\(label): faster at the median, \(onAverage(comparison)) on average (long "
                + "tail), not recommended."
        case (_, .sharedCache): return "\(label) and \(baseline.said) are one cache: no verdict."
        case (.undecided, .edge): return "\(label): \(speed)\(slowness(other)), not recommended."
        default: return nil
        }
    }

    private func grouped(_ others: [Subject]) -> [String] {
        let kept = others.filter { [.withinMargin, .slower].contains($0.comparison.reason) }
        let same = kept.filter { $0.comparison.isAboutTheSame }
        let rest = kept.filter { !$0.comparison.isAboutTheSame }
        let close = others.filter { $0.comparison.verdict == .tooClose }
        let outdone = others.filter(isOutdone)
        let unsure = others.filter {
            $0.comparison.verdict == .undecided && !isOutdone($0)
                && [.budget, .interrupted, .setAside].contains($0.comparison.reason)
        }
        let name = baseline.said
        return [
            (same, "about the same as \(name), within \(margin)"),
            (rest.filter { $0.comparison.isFaster == false }, "slower than \(name)"),
            (rest.filter { $0.comparison.isFaster != false }, "not \(faster) than \(name)"),
            (close, "may be \(faster), too close to call"), (unsure, "no verdict yet"),
            (outdone, betters),
        ].filter { !$0.0.isEmpty }.map { "\(list($0.0)): \($0.1)." }
    }

    private func isOutdone(_ other: Subject) -> Bool {
        other.comparison.reason == .setAside
            && evidence.departures[other.target]?.betters.isEmpty == false
    }

    /// Why somebody was set aside.
    private var betters: String {
        "set aside early: three others are faster"
            + (context.rules.margin > 0 ? ", or at most \(margin) slower" : ", or as fast")
    }

    private func list(_ subjects: [Subject]) -> String {
        subjects.count > Self.mostListed
            ? "\(subjects.count) resolvers" : subjects.map(\.row.said).listed
    }

    /// More names than this are counted; the table has them.
    private static let mostListed = 8
}
