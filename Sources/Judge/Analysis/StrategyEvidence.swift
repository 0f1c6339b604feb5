package import Samples
package import Statistics

/// Predicted results of asking several of the measured resolvers, compared with the baseline alone, over
/// cached names.
package struct StrategyEvidence: Hashable, Sendable {
    /// A strategy over indices of ``members``.
    package struct Row: Hashable, Sendable {
        package var strategy: Strategy
        /// The figures of the strategy. For a race over rows that were not measured in volleys, only the cost
        /// is exact.
        package var figures: StrategyFigures
        /// The range of the quantiles of a race that was not measured directly, in milliseconds. It extends
        /// from the prediction of the rows to the slowest possible race; `nil` if the quantiles are known.
        package var bracket: Bracket?
        /// The saving compared with the baseline; `nil` for the baseline itself, without volleys, and for
        /// strategies derived from the same rows, such as the winners of their races.
        package var slow: StrategyComparison?
        package var failed: StrategyComparison?
    }

    package struct Bracket: Hashable, Sendable {
        package var median: ClosedRange<Double>
        package var p95: ClosedRange<Double>
    }

    /// The indices of the recording's targets, with the baseline first.
    package let members: [Int]
    /// Whether the rows are from volleys. Verdicts require volleys.
    package let isAtOnce: Bool
    package let rounds: Int
    package let lookups: Int
    /// The rows of the strategies, with the baseline alone first.
    package let rows: [Row]

    /// The maximum number of resolvers. More resolvers have too many strategies.
    package static let mostResolvers = 6
    /// Delays before a second resolver is asked, in milliseconds: of a hedged query, and the shortest that
    /// glibc can be configured with.
    package static let hedge = 50.0
    package static let failover = 1000.0

    /// Predicts strategies over `baseline`, a label, and up to five others of the recording; `nil` without
    /// another, or without rows that have them. Resolvers in `tampering` are excluded.
    package init?(of counted: CountedSamples, baseline: String?, tampering: Set<String> = []) {
        let recording = counted.recording
        guard let first = recording.targets.baseline(baseline, in: .cached) else { return nil }
        let others = recording.targets.indices.filter { index in
            let target = recording.targets[index]
            return index != first && target.series == .cached && !tampering.contains(target.label)
        }
        members = Array(([first] + others).prefix(Self.mostResolvers))
        guard members.count > 1 else { return nil }
        let volleys = Lookups(of: members, in: counted, atOnce: true)
        let isAtOnce = !volleys.rounds.isEmpty
        let lookups = isAtOnce ? volleys : Lookups(of: members, in: counted, atOnce: false)
        let strategies = Self.strategies(over: members.count)
        let compared = [StrategyComparison.Measure.slow, .failed].map { measure in
            let none = [StrategyComparison?](repeating: nil, count: strategies.count)
            guard isAtOnce else { return none }
            let tested = StrategyComparison.all(
                measure,
                of: Array(strategies.dropFirst()),
                beside: 0,
                over: lookups.rounds
            )
            return [nil] + tested
        }
        var rows = strategies.enumerated().compactMap { place, strategy -> Row? in
            guard let figures = StrategyFigures(of: strategy, over: lookups.rounds) else {
                return nil
            }
            let bracket = isAtOnce ? nil : Bracket(of: strategy, figures, over: lookups)
            return Row(
                strategy: strategy,
                figures: figures,
                bracket: bracket,
                slow: compared[0][place],
                failed: compared[1][place]
            )
        }
        guard let alone = rows.first, rows.count > 1 else { return nil }
        let everybody = Array(members.indices)
        // The winners of a race that was not measured directly are unknown.
        let race = rows.last { $0.strategy == .race(everybody) }
        if isAtOnce, let learned = race?.figures.learned,
            let figures = StrategyFigures(of: learned, over: lookups.rounds)
        {
            rows.append(Row(strategy: learned, figures: figures))
        }
        self.rows = rows
        self.isAtOnce = isAtOnce
        (rounds, self.lookups) = (alone.figures.rounds, alone.figures.lookups)
    }

    /// Returns the first resolver alone, then each of the others with it, and then all.
    private static func strategies(over count: Int) -> [Strategy] {
        let others = 1..<count
        let pairs: [(Int) -> Strategy] = [
            { .race([0, $0]) }, { .fallback(0, $0, after: hedge, listens: true) },
            { .fallback(0, $0, after: failover, listens: false) },
        ]
        let everybody = Array(0..<count)
        return [.alone(0)] + pairs.flatMap { others.map($0) }
            + (count > 2 ? [.race(everybody)] : []) + [.shares(everybody)]
    }
}

extension StrategyEvidence.Bracket {
    /// Returns the range for a race; `nil` for strategies that ask resolvers one at a time, or with a long
    /// delay.
    fileprivate init?(of strategy: Strategy, _ figures: StrategyFigures, over lookups: Lookups) {
        guard case .race(let racers) = strategy else { return nil }
        let all = zip(lookups.rounds.joined(), lookups.hits).filter { row, _ in
            racers.allSatisfy { !row[$0].isNaN }
        }
        let bound = RaceBound(
            all.map { row, _ in racers.map { row[$0] } },
            hits: all.map { _, hits in racers.map { hits[$0] } }
        )
        func range(_ p: Double, _ seen: ClusteredQuantile) -> ClosedRange<Double> {
            seen.value...max(seen.value, bound.quantile(p))
        }
        median = range(0.5, figures.median)
        p95 = range(0.95, figures.p95)
    }
}
