import Statistics

/// The random data sets of Reference/datasets.py. Swift and Python generate the same data from the same seed.
struct ReferenceDataset {
    let margin: Double
    let isInterrupted: Bool
    let tampering: Set<Int>
    /// The outcomes per resolver (the baseline first), round and name.
    let outcomes: [[[QueryOutcome]]]

    init(seed: UInt64) {
        var source = CongruentialGenerator(state: seed)
        for _ in 0..<3 { _ = source.below(1) }
        let resolvers = 2 + source.below(3) * source.below(2)
        let names = 1 + source.below(10)
        let rounds = 3 + source.below(38)
        margin = [0, 0.5, 5][source.below(3)]
        isInterrupted = source.below(8) == 0
        tampering = source.below(10) == 0 ? [0] : []
        let step = [1, 1, 1000][source.below(3)]
        let jitter = [1_000, 8_000, 30_000][source.below(3)]
        let shifts = (0..<resolvers).map { _ in source.below(24_000) }
        var losses = (0..<resolvers).map { _ in [0, 0, 0, 5, 30, 100, 400][source.below(7)] }
        if source.below(20) == 0 { losses[0] = 1000 }
        let tails = (0..<resolvers).map { _ in [50, 50, 300][source.below(3)] }
        var outcomes = [[[QueryOutcome]]](repeating: [], count: resolvers)
        for _ in 0..<rounds {
            for resolver in 0..<resolvers {
                outcomes[resolver].append(
                    (0..<names).map { _ in
                        let u = source.below(1000)
                        var time = 5_000 + shifts[resolver] + jitter * u * u / 1_000_000
                        if source.below(1000) < tails[resolver] {
                            time += 80_000 + source.below(220_000)
                        }
                        let fate = source.below(1000)
                        if fate < losses[resolver] { return .failed }
                        if fate >= 990 { return .missing }
                        return .answered(Double(time / step * step) / 1000)
                    }
                )
            }
        }
        self.outcomes = outcomes
    }

    /// The pairs of every candidate, per round.
    var rounds: [[PairedRound]] {
        (0..<outcomes[0].count).map { round in
            outcomes.dropFirst().map {
                PairedRound(baseline: outcomes[0][round], candidate: $0[round])
            }
        }
    }

    /// The comparisons after all rounds.
    var comparisons: [Comparison] {
        var process = ComparisonProcess(
            candidates: outcomes.count - 1,
            rules: ComparisonRules(margin: margin)
        )
        process.tampering = tampering
        for round in rounds { process.add(round) }
        return process.comparisons(ending: isInterrupted ? .interrupted : .budgetSpent)
    }

    var ranking: Ranking? {
        Ranking(
            resolvers: outcomes.count,
            rounds: (0..<outcomes[0].count).map { round in outcomes.map { $0[round] } }
        )
    }
}

/// The linear congruential generator of Knuth's MMIX. Its results are the upper 31 bits of its state.
struct CongruentialGenerator {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }
}
