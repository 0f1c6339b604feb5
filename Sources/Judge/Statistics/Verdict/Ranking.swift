/// An order of several resolvers over the rounds of a run. Every pair is compared with margin 0. The
/// probability that any statement about one resolver is wrong is at most α.
package struct Ranking: Hashable, Sendable {
    /// The maximum number of resolvers. The number of pairs grows with its square.
    package static let limit = 100

    /// The possible ranks of each resolver, from 1 for the fastest; `1...k` if nothing is known (Mogstad,
    /// Romano, Shaikh & Wilhelm 2024, Inference for ranks).
    package let ranks: [ClosedRange<Int>]
    /// Whether the row's resolver is faster than the column's.
    private let isFaster: [[Bool]]

    /// Ranks the resolvers. `rounds` are in order, each with one row per resolver and one column per
    /// question. `known` contains pairs that were compared before, by their numbers. `errors` has the maximum
    /// error of each resolver's outcomes in each round, in milliseconds; it is empty without errors.
    ///
    /// Returns `nil` without resolvers and with more than ``limit``. Also `nil` if the rounds are too few to
    /// distinguish even a resolver that is faster in every round.
    package init?(
        resolvers: Int,
        rounds: [[[QueryOutcome]]],
        errors: [[Double]] = [],
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
                let evidence = Self.evidence(
                    that: second,
                    isFasterThan: first,
                    in: rounds,
                    errors
                )
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

    /// Returns the ln E at which one of `resolvers` differs from another, in either direction. The statements
    /// about one resolver and all others together are then wrong with a probability of at most `alpha`.
    package static func logThreshold(resolvers: Int, alpha: Double) -> Double {
        EProcess.logThreshold(alpha: alpha, tests: 2 * Double(max(1, resolvers - 1)))
    }

    /// Returns whether one of the two resolvers is established to be faster than the other.
    package func tellsApart(_ first: Int, _ second: Int) -> Bool {
        guard isFaster.indices.contains(first), isFaster.indices.contains(second) else {
            return false
        }
        return isFaster[first][second] || isFaster[second][first]
    }

    private static func evidence(
        that second: Int,
        isFasterThan first: Int,
        in rounds: [[[QueryOutcome]]],
        _ errors: [[Double]]
    ) -> EProcess {
        var evidence = EProcess()
        for (number, round) in rounds.enumerated()
        where round.indices.contains(first) && round.indices.contains(second) {
            let paired = PairedRound(
                baseline: round[first],
                candidate: round[second],
                error: errors.isEmpty ? 0 : errors[number][first] + errors[number][second]
            )
            if let share = paired.shares(above: 0) { evidence.add(share) }
        }
        return evidence
    }
}
