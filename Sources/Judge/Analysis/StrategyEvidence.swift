package import Samples
package import Statistics

/// Evidence on asking several of the measured resolvers: what it would have taken, beside the
/// baseline alone, over cached names.
package struct StrategyEvidence: Hashable, Sendable {
    /// A strategy over places in ``members``.
    package struct Row: Hashable, Sendable {
        package var strategy: Strategy
        /// The strategy's figures; for a race over rows that were not taken at once, its cost alone
        /// is known.
        package var figures: StrategyFigures
        /// Where the quantiles of a race lie that was not seen: between what the rows say and the
        /// slowest race that they allow, in milliseconds; `nil` where they are known.
        package var bracket: Bracket?
        /// The saving beside the baseline; `nil` for the baseline itself, without volleys, and for
        /// what is made of the same rows, as the winners of their races are.
        package var slow: StrategyComparison?
        package var failed: StrategyComparison?
    }

    package struct Bracket: Hashable, Sendable {
        package var median: ClosedRange<Double>
        package var p95: ClosedRange<Double>
    }

    /// Indexes of the recording's targets, the baseline first.
    package let members: [Int]
    /// Whether the rows are those of volleys, which alone a verdict is made of.
    package let isAtOnce: Bool
    package let rounds: Int
    package let lookups: Int
    /// The baseline alone first.
    package let rows: [Row]

    /// More resolvers are told nothing of: there are too many strategies over them.
    package static let mostResolvers = 6
    /// Waits before a second resolver is asked, in milliseconds: that of a hedge, and the shortest that
    /// glibc can be told.
    package static let hedge = 50.0
    package static let failover = 1000.0

    /// Strategies over `baseline`, a label, and up to five others of the recording; `nil` without
    /// another, or without rows that have them. Those found `tampering` are left out.
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
        // Who wins a race that was not seen is not known.
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

    /// The first alone, then each of the others with it, then all.
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
    /// That of a race; `nil` of what asks one at a time, or long enough after the other.
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
