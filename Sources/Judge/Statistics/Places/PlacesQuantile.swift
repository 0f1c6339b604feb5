/// A quantile over places, each with one figure, and its 95 % interval for places like these (Woodruff 1952,
/// JASA 47:635; Kish 1965, Survey Sampling). Places of one network are likely to be alike. They contain less
/// information than the same number of independent places.
///
/// The interval covers the true value in 95 to 98 of 100 cases if a third of the variance is between
/// networks. An operator of many places can report arbitrary values. A median is robust while fewer than half
/// of the places report false values.
package struct PlacesQuantile: Hashable, Sendable {
    /// The value, in the unit of the figures. Infinite if the quantile is one of the infinite figures.
    package let value: Double
    /// The ends of the interval; `nil` if the places are too few.
    package let lower: Double?
    package let upper: Double?
    /// The number of places of equal weight, each in its own network, with the same information.
    package let effectiveCount: Int

    /// The minimum number of places for an interval.
    private static let leastCount = 6

    /// Creates the quantile `p`, above 0 and below 1, of `values`, with one value per place; `nil` without
    /// values.
    ///
    /// Without `weights`, all places count equally. Without `networks`, each place is in its own network.
    /// Places with up to `liars` of the total weight may report false values.
    package init?(
        _ p: Double,
        of values: [Double],
        weights: [Double]? = nil,
        networks: [Int]? = nil,
        liars: Double = 0
    ) {
        guard !values.isEmpty else { return nil }
        let weights = weights ?? values.map { _ in 1 }
        let all = weights.reduce(0, +)
        let ranked = values.indices.sorted { values[$0] < values[$1] }
        func quantile(_ p: Double) -> Double {
            var below = 0.0
            for index in ranked {
                below += weights[index]
                if below >= (p - 1e-12) * all { return values[index] }
            }
            return values[ranked[ranked.count - 1]]
        }
        let value = quantile(p)
        self.value = value
        let share = zip(values, weights).reduce(0) { $0 + ($1.0 <= value ? $1.1 : 0) } / all
        var excess: [Int: Double] = [:]
        for index in values.indices {
            let part = (values[index] <= value ? 1 : 0) - share
            excess[networks?[index] ?? index, default: 0] += weights[index] * part / all
        }
        let others = Double(excess.count - 1)
        // In the order of the networks, so that the sum is reproducible.
        let squares = excess.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * $1.value }
        let variance = others > 0 ? (others + 1) / others * squares : .infinity
        let ofWeights = all * all / weights.reduce(0) { $0 + $1 * $1 }
        let ofNetworks =
            variance > 0 && share > 0 && share < 1
            ? share * (1 - share) / variance : Double(values.count)
        effectiveCount = Int(min(ofWeights, ofNetworks) / (1 + 2.42 / max(1, others)))
        guard effectiveCount >= Self.leastCount else {
            (lower, upper) = (nil, nil)
            return
        }
        let ranks = QuantileInterval.ranks(of: effectiveCount, quantile: p)
        let (low, high) = (
            Double(ranks.lower) / Double(effectiveCount) - liars,
            Double(ranks.upper) / Double(effectiveCount) + liars
        )
        lower = ranks.lower >= 1 && low > 0 ? quantile(low) : nil
        upper = ranks.upper <= effectiveCount && high < 1 ? quantile(high) : nil
    }
}
