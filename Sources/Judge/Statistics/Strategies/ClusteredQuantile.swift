/// A quantile of times of which those of one cluster, such as a round, depend on each other, with its
/// interval to 95 % (Woodruff 1952, JASA 47:635; Kish 1965, Survey Sampling).
///
/// The share of times up to the quantile varies from cluster to cluster by more than independent ones
/// would: by the design effect. So many fewer times there are in effect, and the ranks of an interval
/// of those are stretched to all of them. Where the quantile lies among the times without an answer,
/// the share of those with one is taken: the other is 1 in every cluster. It covers 94 to 99 of 100
/// where rounds are minutes apart; of rounds in succession it tells of the time that they lasted, and
/// of no other.
package struct ClusteredQuantile: Hashable, Sendable {
    /// Milliseconds, infinite where it lies among those without an answer.
    package let value: Double
    /// The ends of the interval, `nil` where the times are too few for one; the upper may be infinite.
    package let lower: Double?
    package let upper: Double?
    /// How much more the share varies than it would of independent times, at least 1.
    package let designEffect: Double
    /// As many independent times would tell as much.
    package let effectiveCount: Int

    /// The quantile `p` of the times of all clusters; `nil` without any.
    package init?(_ p: Double, of clusters: [[Double]]) {
        let clusters = clusters.filter { !$0.isEmpty }
        let times = clusters.joined().sorted()
        let rank = EmpiricalDistribution.rank(p, of: times.count)
        guard rank >= 1 else { return nil }
        let value = times[rank - 1]
        let count = Double(times.count)
        func isBelow(_ time: Double) -> Bool { value.isFinite ? time <= value : time < value }
        let share = Double(times.partitioningIndex { !isBelow($0) }) / count
        let squares = clusters.reduce(0) { sum, cluster in
            let excess = Double(cluster.count(where: isBelow)) - share * Double(cluster.count)
            return sum + excess * excess
        }
        self.value = value
        let others = Double(clusters.count - 1)
        guard others > 0 else {
            (lower, upper, designEffect, effectiveCount) = (nil, nil, count, 0)
            return
        }
        let variance = Double(clusters.count) / others * squares / (count * count)
        let effect =
            share > 0 && share < 1 ? max(1, variance * count / (share * (1 - share))) : 1
        let effective = Int(count / (effect * (1 + 2.42 / others)))
        (designEffect, effectiveCount) = (effect, effective)
        guard effective > 0 else {
            (lower, upper) = (nil, nil)
            return
        }
        let ranks = QuantileInterval.ranks(of: effective, quantile: p)
        /// Where a rank of the effective times lies among all.
        func place(_ rank: Int) -> Double { Double(rank) * count / Double(effective) }
        let low = Int(place(ranks.lower).rounded(.down))
        let high = Int(place(ranks.upper).rounded(.up))
        lower = ranks.lower >= 1 ? times[max(low, 1) - 1] : nil
        upper = ranks.upper <= effective ? times[min(high, times.count) - 1] : nil
    }
}
