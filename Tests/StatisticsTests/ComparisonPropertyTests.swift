import Statistics
import Testing

/// Properties of every comparison, tested with random data sets.
struct ComparisonPropertyTests {
    private static let seeds = (5_000..<5_040).map(UInt64.init)

    private static func comparison(of rounds: [PairedRound], margin: Double) throws -> Comparison {
        var process = ComparisonProcess(candidates: 1, rules: ComparisonRules(margin: margin))
        for round in rounds { process.add([round]) }
        return try #require(process.comparisons(ending: .budgetSpent).first)
    }

    @Test(arguments: seeds)
    func `the order of names in a round does not matter`(seed: UInt64) throws {
        let dataset = ReferenceDataset(seed: seed)
        let rounds = dataset.rounds.map { $0[0] }
        let turned = rounds.map { PairedRound($0.pairs.reversed()) }
        let left = try Self.comparison(of: rounds, margin: dataset.margin)
        let right = try Self.comparison(of: turned, margin: dataset.margin)
        #expect(left == right)
    }

    @Test(arguments: seeds)
    func `the order of rounds does not change the final evidence`(seed: UInt64) throws {
        let dataset = ReferenceDataset(seed: seed)
        let rounds = dataset.rounds.map { $0[0] }
        let left = try Self.comparison(of: rounds, margin: dataset.margin)
        let right = try Self.comparison(of: rounds.reversed(), margin: dataset.margin)
        #expect(agree(left.logEFaster, right.logEFaster, within: 1e-9))
        #expect(agree(left.logESlower, right.logESlower, within: 1e-9))
        #expect(left.interval == right.interval)
    }

    @Test(arguments: seeds)
    func `swapping the sides swaps the signs`(seed: UInt64) throws {
        let dataset = ReferenceDataset(seed: seed)
        let (baseline, candidate) = (dataset.outcomes[0], dataset.outcomes[1])
        let left = try Self.comparison(
            of: zip(baseline, candidate).map { PairedRound(baseline: $0, candidate: $1) },
            margin: 0
        )
        let right = try Self.comparison(
            of: zip(candidate, baseline).map { PairedRound(baseline: $0, candidate: $1) },
            margin: 0
        )
        #expect(agree(left.logEFaster, right.logESlower, within: 1e-9))
        #expect(agree(left.medianDifference, right.medianDifference.map { -$0 }, within: 1e-9))
        #expect(agree(left.interval.lower, right.interval.upper.map { -$0 }, within: 1e-9))
        #expect(agree(left.interval.upper, right.interval.lower.map { -$0 }, within: 1e-9))
        #expect(left.baselineFailures == right.candidateFailures)
    }

    @Test(arguments: seeds)
    func `a pair that both failed moves the share towards a half`(seed: UInt64) throws {
        let dataset = ReferenceDataset(seed: seed)
        let rounds = dataset.rounds.map { $0[0] }
        let more = rounds.map { PairedRound($0.pairs + [.nan]) }
        for (before, after) in zip(rounds, more) {
            let share = try #require(after.share(above: dataset.margin))
            guard let old = before.share(above: dataset.margin) else { continue }
            #expect(abs(share - 0.5) <= abs(old - 0.5) && (share - 0.5) * (old - 0.5) >= 0)
        }
        let left = try Self.comparison(of: rounds, margin: dataset.margin)
        let right = try Self.comparison(of: more, margin: dataset.margin)
        #expect(left.medianDifference == right.medianDifference)
    }

    @Test(arguments: seeds)
    func `doubling the margin and the differences doubles the interval`(seed: UInt64) throws {
        let dataset = ReferenceDataset(seed: seed)
        let rounds = dataset.rounds.map { $0[0] }
        // A multiplication by two is exact, so ties remain ties.
        let doubled = rounds.map { round in
            PairedRound(round.pairs.map { $0 * 2 })
        }
        let left = try Self.comparison(of: rounds, margin: dataset.margin)
        let right = try Self.comparison(of: doubled, margin: dataset.margin * 2)
        #expect(left.logEFaster == right.logEFaster && left.verdict == right.verdict)
        #expect(left.interval.lower.map { $0 * 2 } == right.interval.lower)
        #expect(left.interval.upper.map { $0 * 2 } == right.interval.upper)
    }

    @Test func `no interval contradicts its verdict in a thousand histories`() {
        for seed in 5_000..<6_000 {
            for comparison in ReferenceDataset(seed: UInt64(seed)).comparisons {
                #expect(Self.contradiction(in: comparison) == nil, "\(seed)")
            }
        }
    }

    /// Returns the contradiction between a comparison and its verdict; `nil` without one.
    private static func contradiction(in comparison: Comparison) -> String? {
        let margin = comparison.margin
        let interval = comparison.interval
        let (lower, upper) = (interval.lower ?? -.infinity, interval.upper ?? .infinity)
        if lower > upper { return "an end before the other" }
        if let median = comparison.medianDifference, median < lower || median > upper {
            return "the median outside"
        }
        return switch (comparison.verdict, comparison.reason) {
        case (.switch, .baselineSilent): nil
        case (.switch, _) where lower < margin: "a switch at \(lower)"
        case (.keep, .slower) where upper > margin, (.keep, .withinMargin) where upper > margin:
            "kept at \(upper)"
        case (.tooClose, _) where !interval.encloses(margin): "too close outside"
        case (.undecided, .budget)
        where comparison.rounds >= 7 && (lower > margin || upper < margin):
            "open outside"
        default: nil
        }
    }

    @Test func `a thousand rounds of a hundred names can be computed`() throws {
        var source = CongruentialGenerator(state: 1)
        let rounds = (0..<1_000).map { _ in
            PairedRound((0..<100).map { _ in Double(source.below(40_000)) / 1000 - 18 })
        }
        let comparison = try Self.comparison(of: rounds, margin: 0)
        #expect(comparison.pairs == 100_000 && comparison.verdict == .switch)
        #expect(comparison.interval.encloses(2))
    }
}
