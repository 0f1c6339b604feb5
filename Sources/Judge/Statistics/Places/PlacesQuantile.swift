/// A quantile over places, each of which has one figure, with its interval to 95 % for places like
/// these (Woodruff 1952, JASA 47:635; Kish 1965, Survey Sampling): those of one network are likely to
/// be alike, so that they tell less than as many others would.
///
/// It covers 95 to 98 of 100 where a third of the variance is between networks. Whoever measures at so
/// many of the places can say anything: a median holds while fewer than half of them lie.
package struct PlacesQuantile: Hashable, Sendable {
    /// As the figures are, infinite where it lies among those that are.
    package let value: Double
    /// The ends of the interval; `nil` where the places are too few for one.
    package let lower: Double?
    package let upper: Double?
    /// As many places of equal weight, each in a network of its own, would tell as much.
    package let effectiveCount: Int

    /// The fewest places that an interval is told of.
    private static let leastCount = 6

    /// The quantile `p`, above 0 and below 1, of `values`, one a place; `nil` without any. Without
    /// `weights` all places count alike, without `networks` each is in one of its own; places with up
    /// to `liars` of the whole weight may say anything.
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
        // In the order of the networks, so that the sum is the same every time.
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
