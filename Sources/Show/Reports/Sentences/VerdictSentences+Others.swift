import Analysis
import Samples
import Statistics

/// Sentences on the other candidates.
extension VerdictSentences {
    func others(than subject: Subject) -> [String] {
        let rest = subjects.filter { $0.target != subject.target }
        let gains = rest.filter { $0.comparison.verdict == .switch }
        let tied = gains.filter { isSlower($0, than: subject) == false }
        let slower = gains.filter { isSlower($0, than: subject) == true }
        let untold = gains.filter { isSlower($0, than: subject) == nil }
        return ties(of: subject, tied)
            + (slower.isEmpty ? [] : ["\(list(slower)): also faster, by less."])
            + (untold.isEmpty ? [] : ["\(list(untold)): also faster than \(baseline.said)."])
            + rest.compactMap(singular) + grouped(rest)
    }

    /// The sentence on candidates that tie with the recommended one. It makes no statement about two of them
    /// if one is faster.
    private func ties(of subject: Subject, _ tied: [Subject]) -> [String] {
        let targets = tied.map(\.target)
        let differ = targets.contains { one in targets.contains { evidence.tellsApart(one, $0) } }
        if tied.isEmpty { return [] }
        return differ
            ? ["\(list(tied)): no significant difference from \(subject.row.said)."]
            : ["\(list([subject] + tied)): no significant difference."]
    }

    /// Whether a candidate gains less than the recommended one; `nil` if the two were not compared. Not all
    /// are ranked, and over several series no candidate is.
    private func isSlower(_ other: Subject, than subject: Subject) -> Bool? {
        let targets = [other.target, subject.target]
        guard !isWhole, targets.allSatisfy({ evidence.rank(of: $0) != nil }) else { return nil }
        return evidence.tellsApart(other.target, subject.target)
    }

    /// The sentence on a candidate with a special result.
    private func singular(_ other: Subject) -> String? {
        let label = other.row.said
        let comparison = other.comparison
        let speed = comparison.isFaster == true ? "faster, but " : ""
        switch (comparison.verdict, comparison.reason) {
        case (.keep, .reliability), (.undecided, .reliability):
            let loss = other.row.counts.failureRate.description
            return "\(label): \(speed)\(noun(of: other).text) \(loss) (\(baseline.said): "
                + "\(baseline.counts.failureRate.description)), \(Self.refusal)."
        case (.keep, .tampering): return "\(label): \(speed)\(tampering(other)), \(Self.refusal)."
        case (.undecided, .tail):
            return "\(label): faster at the median, \(onAverage(comparison)) on average (long "
                + "tail), \(Self.refusal)."
        case (.undecided, .lossUnknown):
            return "\(label): \(speed)its loss is not yet known, \(Self.refusal)."
        case (_, .sharedCache): return "\(label) and \(baseline.said) are one cache: no verdict."
        case (.undecided, .edge): return "\(label): \(speed)\(slowness(other)), \(Self.refusal)."
        default: return nil
        }
    }

    private func grouped(_ others: [Subject]) -> [String] {
        let name = baseline.said
        let groups: [(standing: Standing, words: String)] = [
            (.same, "\(words(.same)) as \(name), within \(margin)"),
            (.slower, "\(words(.slower)) than \(name)"),
            (.notFaster, "\(words(.notFaster)) than \(name)"),
            (.close, "may be \(faster), \(words(.close))"), (.open, words(.open)),
            (.outdone, betters),
        ]
        return groups.compactMap { group in
            let members = others.filter { standing(of: $0) == group.standing }
            return members.isEmpty ? nil : "\(list(members)): \(group.words)."
        }
    }

    /// The result of a candidate against the baseline, by verdict and reason.
    private enum Standing {
        case better, refused, oneCache, same, slower, notFaster, close, open, outdone
    }

    private func standing(of one: Subject) -> Standing {
        let comparison = one.comparison
        return switch (comparison.verdict, comparison.reason) {
        case (.switch, _): .better
        case (_, .reliability), (_, .tampering), (_, .tail), (_, .edge), (_, .lossUnknown):
            .refused
        case (_, .sharedCache): .oneCache
        case (.tooClose, _): .close
        case (.keep, _) where comparison.isAboutTheSame: .same
        case (.keep, _): comparison.isFaster == false ? .slower : .notFaster
        case (.undecided, _): isOutdone(one) ? .outdone : .open
        }
    }

    private func words(_ standing: Standing) -> String {
        switch standing {
        case .better: "also faster"
        case .refused: Self.refusal
        case .oneCache: "no verdict"
        case .same: "about the same"
        case .slower: "slower"
        case .notFaster: "not \(faster)"
        case .close: "too close to call"
        case .open: "no verdict yet"
        case .outdone: "set aside"
        }
    }

    /// The verdict on each candidate for its cell of the table, in the words of the sentences. Only one is
    /// recommended.
    var verdicts: [Recording.Target: (words: String, isAdvice: Bool)] {
        let answer = subject?.target
        let found = subjects.map { one in
            (one.row.target, verdict(on: one, isAnswer: one.target == answer))
        }
        return Dictionary(found) { first, _ in first }
    }

    private func verdict(on one: Subject, isAnswer: Bool) -> (words: String, isAdvice: Bool) {
        let standing = standing(of: one)
        guard isAnswer else { return (words(standing), false) }
        if standing == .better { return ("recommended", true) }
        // The answer is open for "not yet" and "no clear gain".
        let isOpen = standing == .refused && one.comparison.verdict == .undecided
        return (words(isOpen ? .open : standing), false)
    }

    private static let refusal = "not recommended"

    private func isOutdone(_ other: Subject) -> Bool {
        other.comparison.reason == .setAside
            && evidence.departures[other.target]?.betters.isEmpty == false
    }

    /// The reason why a resolver was set aside.
    private var betters: String {
        "set aside early: three others are faster"
            + (context.rules.margin > 0 ? ", or at most \(margin) slower" : ", or as fast")
    }

    private func list(_ subjects: [Subject]) -> String {
        subjects.count > Self.mostListed
            ? "\(subjects.count) resolvers" : subjects.map(\.row.said).listed
    }

    /// The most names in a sentence. The table has the others.
    private static let mostListed = 8
}
