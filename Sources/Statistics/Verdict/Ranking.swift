/// Which of several resolvers are faster than which, over the rounds of a run: every two are held
/// against each other with margin 0, all tests together wrong in at most α.
package struct Ranking: Hashable, Sendable {
    /// More resolvers than this are not ranked: the pairs grow with the square.
    package static let limit = 100

    /// From 1 for the fastest: those that a resolver may have, `1...k` where nothing is known
    /// (Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks).
    package let ranks: [ClosedRange<Int>]
    /// Those that none is faster than: the truly fastest is among them but for α.
    package let best: [Int]
    /// Whether the row's resolver is faster than the column's.
    private let isFaster: [[Bool]]

    /// Takes the rounds in order, each with one row a resolver and one column a question; `nil`
    /// without resolvers, and with more than ``limit``.
    package init?(resolvers: Int, rounds: [[[QueryOutcome]]], alpha: Double = 0.05) {
        guard resolvers > 0, resolvers <= Self.limit else { return nil }
        let couples = (0..<resolvers).flatMap { first in
            ((first + 1)..<max(first + 1, resolvers)).map { second in
                let evidence = Self.evidence(that: second, isFasterThan: first, in: rounds)
                return (first: first, second: second, evidence: evidence)
            }
        }
        var survives = [Bool](repeating: true, count: resolvers)
        let nobody = [Bool](repeating: false, count: resolvers)
        var isFaster = [[Bool]](repeating: nobody, count: resolvers)
        let dropped = EProcess.logThreshold(alpha: alpha, tests: Double(max(1, resolvers - 1)))
        let certain = HolmTest.rejections(of: couples.map(\.evidence.logPValue), alpha: alpha)
        for ((first, second, evidence), isCertain) in zip(couples, certain) {
            let (above, below) = (evidence.maximumLogEAbove, evidence.maximumLogEBelow)
            if above >= dropped { survives[first] = false }
            if below >= dropped { survives[second] = false }
            guard isCertain else { continue }
            let (faster, slower) = above > below ? (second, first) : (first, second)
            isFaster[faster][slower] = true
        }
        self.isFaster = isFaster
        best = survives.indices.filter { survives[$0] }
        ranks = (0..<resolvers).map { resolver in
            let better = isFaster.count { $0[resolver] }
            let worse = isFaster[resolver].count { $0 }
            return (1 + better)...(resolvers - worse)
        }
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
