/// Which of several resolvers are faster than which, over the rounds of a run: every two are held
/// against each other with margin 0, and what is said of any one is wrong in at most α.
package struct Ranking: Hashable, Sendable {
    /// More resolvers than this are not ranked: the pairs grow with the square.
    package static let limit = 100

    /// From 1 for the fastest: those that a resolver may have, `1...k` where nothing is known
    /// (Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks).
    package let ranks: [ClosedRange<Int>]
    /// Whether the row's resolver is faster than the column's.
    private let isFaster: [[Bool]]

    /// Takes the rounds in order, each with one row a resolver and one column a question; `nil`
    /// without resolvers, with more than ``limit``, and where even one that is faster in every round
    /// could not be told from another. `known` are couples that were compared before, by their places.
    package init?(
        resolvers: Int,
        rounds: [[[QueryOutcome]]],
        known: [(baseline: Int, candidate: Int, comparison: Comparison)] = [],
        alpha: Double = 0.05
    ) {
        guard resolvers > 0, resolvers <= Self.limit else { return nil }
        let threshold = Self.logThreshold(resolvers: resolvers, alpha: alpha)
        guard resolvers == 1 || rounds.count >= EProcess.fewestRounds(for: threshold)
        else { return nil }
        let nobody = [Bool](repeating: false, count: resolvers)
        var isFaster = [[Bool]](repeating: nobody, count: resolvers)
        for first in 0..<resolvers {
            for second in (first + 1)..<max(first + 1, resolvers) {
                let evidence = Self.evidence(that: second, isFasterThan: first, in: rounds)
                isFaster[second][first] = evidence.logEAbove >= threshold
                isFaster[first][second] = evidence.logEBelow >= threshold
            }
        }
        for (baseline, candidate, comparison) in known {
            isFaster[candidate][baseline] = comparison.isFaster == true
            isFaster[baseline][candidate] = comparison.isFaster == false
        }
        self.isFaster = isFaster
        ranks = (0..<resolvers).map { resolver in
            let better = isFaster.count { $0[resolver] }
            let worse = isFaster[resolver].count { $0 }
            return (1 + better)...(resolvers - worse)
        }
    }

    /// ln of the E at which one of `resolvers` differs from another, in either direction, so that
    /// what is said of it beside all the others is wrong in at most `alpha`.
    package static func logThreshold(resolvers: Int, alpha: Double) -> Double {
        EProcess.logThreshold(alpha: alpha, tests: 2 * Double(max(1, resolvers - 1)))
    }

    /// Whether one of the two is faster than the other.
    package func tellsApart(_ first: Int, _ second: Int) -> Bool {
        guard isFaster.indices.contains(first), isFaster.indices.contains(second) else {
            return false
        }
        return isFaster[first][second] || isFaster[second][first]
    }

    private static func evidence(
        that second: Int,
        isFasterThan first: Int,
        in rounds: [[[QueryOutcome]]]
    ) -> EProcess {
        var evidence = EProcess()
        for round in rounds where round.indices.contains(first) && round.indices.contains(second) {
            let paired = PairedRound(baseline: round[first], candidate: round[second])
            if let share = paired.share(above: 0) { evidence.add(share) }
        }
        return evidence
    }
}
