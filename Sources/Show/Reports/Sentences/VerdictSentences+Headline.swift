import Samples
import Statistics

extension VerdictSentences {
    /// The headline: at most twelve words without the names.
    var headline: String {
        guard let subject else { return "" }
        let name = subject.row.said
        let rounds = context.rules.unit.counted(subject.comparison.rounds)
        let fewest = fewestRounds(for: subject.comparison)
        let pair = [baseline.counts, subject.row.counts]
        if pair.allSatisfy({ $0.answered == 0 && $0.failed > 0 }) {
            return "No verdict: \(baseline.said) and \(name) gave no usable answer."
        }
        return switch (subject.comparison.verdict, subject.comparison.reason) {
        case (.switch, .baselineSilent):
            context.isBaselineInUse
                ? "Yes, switch to \(name): your current resolver \(silence(besides: subject))."
                : "Yes, \(name) answers; \(baseline.said) \(silence(besides: subject))."
        case (.switch, _):
            context.isBaselineInUse
                ? "Yes, switch to \(name): \(typical(subject))\(overall) than your current resolver."
                : "Yes, \(name) is \(typical(subject))\(overall) than \(baseline.said)."
        case (.keep, _): "Stay with \(baseline.said): \(objection(subject))."
        case (.tooClose, _): "Too close to call: \(name) may be \(faster)."
        case (.undecided, .tail):
            "No clear gain: \(name) is faster at the median, not on average."
        case (.undecided, .edge): edge(subject)
        case (.undecided, .reliability):
            "Not yet: \(name) is faster, but \(noun(of: subject).mayExceed)."
        case (.undecided, .lossUnknown):
            "Not yet: \(name) is \(typical(subject))\(overall), but its loss is not yet known."
        case (.undecided, .sharedCache): "No verdict: \(name) and \(baseline.said) are one cache."
        case (.undecided, .interrupted): "No verdict: interrupted after \(rounds)."
        case (.undecided, _) where subject.comparison.rounds < fewest:
            "No verdict yet: \(rounds) of at least \(fewest)."
        case (.undecided, _) where lacksDays(subject.comparison):
            "No verdict yet: it takes hours of at least \(context.rules.minimumDays) days (UTC)."
        case (.undecided, _): "No verdict after \(rounds): \(name) may be \(faster)."
        }
    }

    /// The minimum number of rounds or hours for a verdict of its statistic.
    private func fewestRounds(for comparison: Comparison) -> Int {
        var rules = context.rules
        rules.statistic = comparison.statistic
        return rules.minimumRounds
    }

    /// Whether its interval decides the speed, and its hours are of too few days for a verdict.
    private func lacksDays(_ comparison: Comparison) -> Bool {
        let (interval, margin) = (comparison.interval, context.rules.margin)
        return context.rules.minimumDays > 0
            && ((interval.lower ?? -.infinity) >= margin || (interval.upper ?? .infinity) <= margin)
    }

    /// The suffix of a difference over cached and uncached names together.
    private var overall: String { isWhole ? " overall" : "" }

    /// The reason why no switch is recommended.
    private func objection(_ subject: Subject) -> String {
        let comparisons = subjects.map(\.comparison)
        guard subjects.count > 1 else { return singleObjection(subject) }
        if comparisons.allSatisfy(\.isAboutTheSame) {
            return (subjects.count == 2 ? "both" : "all \(subjects.count)")
                + " others are about the same, within \(margin)"
        }
        return refusal(subject) ?? "no other is \(faster)"
    }

    /// The reason if some candidates fail more often, or change answers; `nil` without such candidates.
    private func refusal(_ subject: Subject) -> String? {
        let refusals: [VerdictReason] = [.reliability, .tampering]
        let refused = subjects.filter { refusals.contains($0.comparison.reason) }
        guard !refused.isEmpty else { return nil }
        let others = subjects.filter { one in
            one.comparison.verdict == .keep && !refused.contains { $0.target == one.target }
        }
        func gain(_ one: Subject) -> Double { one.comparison.difference ?? -.infinity }
        guard let best = others.max(by: { gain($0) < gain($1) }) else {
            return singleObjection(subject)
        }
        if gain(best) > 0, gain(best) < context.rules.margin {
            return "\(best.row.said) is \(typical(best)), less than your margin of \(margin)"
        }
        let kinds = Set(refused.map(\.comparison.reason))
        let kind =
            kinds.count == 2
            ? "reliable and truthful" : kinds.contains(.tampering) ? "truthful" : "reliable"
        return "no \(kind) resolver is \(faster)"
    }

    private func singleObjection(_ subject: Subject) -> String {
        let name = subject.row.said
        let comparison = subject.comparison
        switch comparison.reason {
        case .reliability: return "\(name) \(noun(of: subject).exceeds)"
        case .tampering: return "\(name) failed a check of its answers"
        default:
            if comparison.isAboutTheSame { return "\(name) is about the same, within \(margin)" }
            guard comparison.isFaster == false else { return "\(name) is not \(faster)" }
            return isSilent(subject)
                ? "\(name) \(silence(of: subject))"
                : "\(name) is \(typical(subject))\(overall)"
        }
    }

    /// Whether the candidate is slower and lost more than it answered, so that no difference is known.
    func isSilent(_ subject: Subject) -> Bool {
        subject.comparison.difference == nil && subject.comparison.isFaster == false
    }
}
