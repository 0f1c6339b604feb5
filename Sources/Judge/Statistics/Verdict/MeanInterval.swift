/// E+ and E− of the same shares at any mean between 0 and 1.
struct MeanEvidence {
    /// The distinct shares with their counts. They are few, because a round has a handful of names.
    private let counts: [(share: Double, count: Double)]
    let mean: Double

    /// Creates the evidence of `shares` within 0…1; `nil` without shares.
    init?(of shares: [Double]) {
        guard !shares.isEmpty else { return nil }
        counts = Dictionary(grouping: shares) { $0 }.sorted { $0.key < $1.key }
            .map { ($0.key, Double($0.value.count)) }
        mean = shares.reduce(0, +) / Double(shares.count)
    }

    func logEAbove(_ mean: Double) -> Double { logE { ($0 - mean) / (2 * mean) } }

    func logEBelow(_ mean: Double) -> Double { logE { (mean - $0) / (2 * (1 - mean)) } }

    private func logE(_ stake: (Double) -> Double) -> Double {
        var sums = [Double](repeating: 0, count: EProcess.bets.count)
        for (share, count) in counts {
            for (bet, factor) in EProcess.logFactors(stake(share)).enumerated() {
                sums[bet] += count * factor
            }
        }
        return EProcess.logMean(ofExponentials: sums)
    }

    /// Returns the means that the shares do not reject at `level` α. The interval is valid at all rounds at
    /// once.
    ///
    /// E+ falls with the mean and E− rises, so each end is found by bisection (Howard & Ramdas 2022,
    /// Bernoulli 28:3).
    func interval(level: Double = 0.05) -> ClosedRange<Double> {
        let threshold = EProcess.logThreshold(alpha: level, tests: 2)
        let lower = mean <= 0 ? 0 : edge(from: 0) { logEAbove($0) < threshold }
        let upper = mean >= 1 ? 1 : edge(from: 1) { logEBelow($0) < threshold }
        return min(lower, mean)...max(upper, mean)
    }

    /// Returns the mean nearest to `end` for which `isPossible` holds. It must hold for the mean of the
    /// shares.
    private func edge(from end: Double, _ isPossible: (Double) -> Bool) -> Double {
        var (impossible, possible) = (end, mean)
        // After 60 bisections of 0…1, the two ends can no longer be distinguished.
        for _ in 0..<60 {
            let middle = (impossible + possible) / 2
            if isPossible(middle) { possible = middle } else { impossible = middle }
        }
        return possible
    }
}
