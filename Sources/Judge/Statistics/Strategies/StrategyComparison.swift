/// A strategy beside one resolver alone: how many fewer look-ups are slow, or failed, in the rows that
/// have both.
package struct StrategyComparison: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// Fewer by more than the margin.
        case better
        /// Not fewer by as much.
        case notBetter = "not-better"
        case undecided
    }

    /// A share of look-ups that is held against a margin.
    package enum Measure: Hashable, Sendable {
        case slow, failed

        /// The share that must be saved to be worth it.
        package var margin: Double { self == .slow ? 0.01 : 0.005 }

        func counts(_ time: Double) -> Bool {
            self == .slow ? time > StrategyFigures.slow : time == .infinity
        }
    }

    package let rounds: Int
    /// The share of the one alone less that of the strategy: the mean over rounds.
    package let saved: Double
    /// Its interval at ``confidence``, which holds at every round at once.
    package let interval: ClosedRange<Double>
    /// 1 − the level of its step in Holm's test.
    package let confidence: Double
    /// ln E that more than the margin is saved, or less.
    package let logEAbove: Double
    package let logEBelow: Double
    package let verdict: Verdict

    /// No strategy is judged by fewer rounds, in which one burst would decide.
    package static let minimumRounds = 7

    /// Holds each of the strategies against `baseline` alone; `nil` for one without a row that has
    /// both. At most `alpha` of such runs call any of them wrongly.
    package static func all(
        _ measure: Measure,
        of strategies: [Strategy],
        beside baseline: Int,
        over rounds: [[[Double]]],
        alpha: Double = 0.05
    ) -> [StrategyComparison?] {
        let savings = strategies.map { Saving($0, measure, baseline: baseline, rounds) }
        let known = savings.compactMap(\.self)
        let tests = HolmTest(known.map(\.evidence.logPValue), alpha: alpha)
        var steps = zip(tests.rejections, tests.levels).makeIterator()
        return savings.map { saving in
            guard let saving, let (isRejected, level) = steps.next() else { return nil }
            return StrategyComparison(saving, isRejected: isRejected, level: level)
        }
    }

    private init(_ saving: Saving, isRejected: Bool, level: Double) {
        rounds = saving.shares.count
        saved = saving.change(saving.seen.mean)
        let interval = saving.seen.interval(level: level)
        self.interval = saving.change(interval.lowerBound)...saving.change(interval.upperBound)
        confidence = 1 - level
        let evidence = saving.evidence
        (logEAbove, logEBelow) = (evidence.logEAbove, evidence.logEBelow)
        let isDecided = isRejected && rounds >= Self.minimumRounds
        verdict = !isDecided ? .undecided : logEAbove > logEBelow ? .better : .notBetter
    }
}

/// The savings of a strategy, round by round.
private struct Saving {
    /// From 0 to 1: what is saved where the strategy can save alone, else half of it above ½.
    let shares: [Double]
    let seen: MeanEvidence
    private(set) var evidence: EProcess
    private let savesAlone: Bool

    init?(
        _ strategy: Strategy,
        _ measure: StrategyComparison.Measure,
        baseline: Int,
        _ rounds: [[[Double]]]
    ) {
        let needed = Set(strategy.members + [baseline])
        let saved = rounds.compactMap { rows -> Double? in
            rows.filter { row in needed.allSatisfy { !row[$0].isNaN } }
                .map { row in
                    let times = strategy.times(row)
                    let share = Double(times.count(where: measure.counts)) / Double(times.count)
                    return (measure.counts(row[baseline]) ? 1 : 0) - share
                }
                .mean
        }
        savesAlone = strategy.contains(baseline)
        let isNested = savesAlone
        shares = saved.map { isNested ? $0 : (1 + $0) / 2 }
        guard let seen = MeanEvidence(of: shares) else { return nil }
        self.seen = seen
        evidence = EProcess(mean: isNested ? measure.margin : (1 + measure.margin) / 2)
        for share in shares { evidence.add(share) }
    }

    /// The saving that a mean of shares stands for.
    func change(_ mean: Double) -> Double { savesAlone ? mean : 2 * mean - 1 }
}
