import Statistics

/// A baseline and one candidate, with ten names per round.
struct PairedRun {
    static let names = 10

    var baseline: LatencyModel
    var candidate: LatencyModel
    /// The milliseconds by which the baseline is slower.
    var shift = 0.0
    /// The deviation of an offset that all queries of the baseline in a round share.
    var offset = 0.0

    func round(from source: inout SplitMix64) -> PairedRound {
        let extra = shift + (offset > 0 ? offset * source.normal() : 0)
        return PairedRound(
            (0..<Self.names).compactMap { _ in
                let outcome = baseline.outcome(shift: extra, from: &source)
                return outcome.difference(from: candidate.outcome(shift: 0, from: &source))
            }
        )
    }

    /// Returns the same run with the shift at which the median difference is zero, from a million pairs.
    func levelled() -> PairedRun {
        var source = SplitMix64(state: 1)
        let rounds = (0..<100_000).map { _ in round(from: &source) }
        var balanced = self
        var low = -100.0
        var high = 100.0
        while high - low > 1e-4 {
            let margin = (low + high) / 2
            let share = rounds.reduce(0) { $0 + ($1.share(above: margin) ?? 0.5) }
            if share > Double(rounds.count) / 2 { low = margin } else { high = margin }
        }
        balanced.shift -= low
        return balanced
    }
}
