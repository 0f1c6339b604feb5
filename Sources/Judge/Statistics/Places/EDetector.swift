/// Evidence that a mean rose above its permitted value, for a series without an end: an e-detector (Shin,
/// Ramdas & Rinaldo 2023). It is the mean of five bets that begin again when they lose.
///
/// While no observation's expectation exceeds the permitted mean, the average number of observations to a
/// false alarm is at least the threshold.
struct EDetector {
    private static let usualBets = [0.05, 0.1, 0.2, 0.4, 0.8]
    private static let usualThreshold = 1000.0

    private let bets: [Double]
    private let threshold: Double
    /// M of each bet, and the number of the observation at which it began.
    private var wealth: [Double]
    private var starts: [Int]
    private var observations = 0

    init(bets: [Double] = usualBets, threshold: Double = usualThreshold) {
        (self.bets, self.threshold) = (bets, threshold)
        wealth = bets.map { _ in 1 }
        starts = bets.map { _ in 0 }
    }

    /// M ← max(M, 1)·(1 + s/m·(u − m)), for u ≥ 0 and m = `mean`. An observation of 0 never counts as above
    /// the mean.
    mutating func observe(_ u: Double, mean: Double = 0.5) {
        let excess = mean > 0 ? u / mean - 1 : -1
        for (index, bet) in bets.enumerated() {
            if wealth[index] <= 1 {
                wealth[index] = 1
                starts[index] = observations
            }
            wealth[index] *= 1 + bet * excess
        }
        observations += 1
    }

    /// The mean M of the bets.
    var evidence: Double { wealth.reduce(0, +) / Double(bets.count) }

    /// Whether the mean currently exceeds its permitted value.
    var isAlarmed: Bool { evidence >= threshold }

    /// The number of observations since the most successful bet began.
    var length: Int {
        let best = wealth.indices.max { wealth[$0] < wealth[$1] } ?? 0
        return observations - starts[best]
    }
}
