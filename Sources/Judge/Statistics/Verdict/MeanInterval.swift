/// E+ and E− of the same shares at any mean between 0 and 1.
struct MeanEvidence {
    /// Each share once, with how often it was seen: they are few, of a handful of names each.
    private let counts: [(share: Double, count: Double)]
    let mean: Double

    /// `nil` without shares, which lie within 0…1.
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

    /// The means that the shares do not speak against with `level` α, at every round at once: E+ falls
    /// with the mean and E− rises, so that each end is found by halving (Howard & Ramdas 2022,
    /// Bernoulli 28:3).
    func interval(level: Double = 0.05) -> ClosedRange<Double> {
        let threshold = EProcess.logThreshold(alpha: level, tests: 2)
        let lower = mean <= 0 ? 0 : edge(from: 0) { logEAbove($0) < threshold }
        let upper = mean >= 1 ? 1 : edge(from: 1) { logEBelow($0) < threshold }
        return min(lower, mean)...max(upper, mean)
    }

    /// The mean next to `end` that `isPossible` holds for, as it does for that of the shares.
    private func edge(from end: Double, _ isPossible: (Double) -> Bool) -> Double {
        var (impossible, possible) = (end, mean)
        // As often as a share from 0 to 1 can be halved and still be told apart.
        for _ in 0..<60 {
            let middle = (impossible + possible) / 2
            if isPossible(middle) { possible = middle } else { impossible = middle }
        }
        return possible
    }
}
