/// How much the share of one round tells of the next one's.
package struct Autocorrelation: Hashable, Sendable {
    /// From −1 to 1: Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)² (Box & Jenkins 1976, §2.1).
    package let coefficient: Double
    package let rounds: Int

    /// `nil` below three values, and where all are equal.
    package init?(of values: [Double]) {
        guard values.count >= 3 else { return nil }
        let mean = values.reduce(0, +) / Double(values.count)
        let deviations = values.map { $0 - mean }
        let squares = deviations.reduce(0) { $0 + $1 * $1 }
        guard squares > 1e-12 * Double(values.count) else { return nil }
        let products = zip(deviations, deviations.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
        coefficient = products / squares
        rounds = values.count
    }

    /// Whether a short run may mislead about a longer time: the coefficient is above 0.2, and above
    /// what one in twenty series of independent rounds reaches by chance (1.645 / √n).
    package var isNotable: Bool {
        coefficient > max(0.2, 1.645 / Double(rounds).squareRoot())
    }
}
