/// Evidence that a mean rose above ½ at some time, for a series that may be watched for ever: an
/// e-detector (Shin, Ramdas & Rinaldo 2023), the mean of five bets that begin anew when they lose.
///
/// While the mean is at most ½, the average run to a false alarm is at least 1,000 observations.
struct EDetector {
    private static let bets = [0.1, 0.2, 0.4, 0.8, 1.6]
    private static let threshold = 1000.0

    /// M of each bet, and the number of the observation that it began at.
    private var wealth = [Double](repeating: 1, count: bets.count)
    private var starts = [Int](repeating: 0, count: bets.count)
    private var observations = 0

    /// M ← max(M, 1)·(1 + λ(u − ½)), for u from 0 to 2.
    mutating func observe(_ u: Double) {
        for (index, bet) in Self.bets.enumerated() {
            if wealth[index] <= 1 {
                wealth[index] = 1
                starts[index] = observations
            }
            wealth[index] *= 1 + bet * (u - 0.5)
        }
        observations += 1
    }

    /// Whether the mean is above ½ now.
    var isAlarmed: Bool {
        wealth.reduce(0, +) / Double(Self.bets.count) >= Self.threshold
    }

    /// How many observations ago the bet that won the most began.
    var length: Int {
        let best = wealth.indices.max { wealth[$0] < wealth[$1] } ?? 0
        return observations - starts[best]
    }
}
