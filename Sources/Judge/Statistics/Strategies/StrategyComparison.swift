/// The comparison of a strategy with one resolver alone: the reduction of slow or failed look-ups, in the
/// rows that have both.
package struct StrategyComparison: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The reduction exceeds the margin.
        case better
        /// The reduction does not exceed the margin.
        case notBetter = "not-better"
        case undecided
    }

    /// A share of look-ups that is compared with a margin.
    package enum Measure: Hashable, Sendable {
        case slow, failed

        /// The reduction of the share that makes the strategy worthwhile.
        package var margin: Double { self == .slow ? 0.01 : 0.005 }

        func counts(_ time: Double) -> Bool {
            self == .slow ? time > StrategyFigures.slow : time == .infinity
        }
    }

    package let rounds: Int
    /// The share of the single resolver minus the share of the strategy, as a mean over rounds.
    package let saved: Double
    /// The interval of ``saved`` at ``confidence``, which is valid at all rounds at once.
    package let interval: ClosedRange<Double>
    /// 1 − the level of the strategy's step in Holm's test.
    package let confidence: Double
    /// ln E that the saving is above the margin, or below.
    package let logEAbove: Double
    package let logEBelow: Double
    package let verdict: Verdict

    /// The minimum number of rounds for a verdict. With fewer, a single burst would decide.
    package static let minimumRounds = 7

    /// Compares each strategy with `baseline` alone; `nil` for a strategy without a row that has both. The
    /// probability that any of the verdicts is wrong is at most `alpha`.
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
    /// Shares from 0 to 1. They are the savings if the strategy can never be worse, otherwise half of the
    /// savings plus ½.
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

    /// Converts a mean of shares into a saving.
    func change(_ mean: Double) -> Double { savesAlone ? mean : 2 * mean - 1 }
}
