/// A quantile of times that depend on each other within a cluster, such as a round, with its 95 % interval
/// (Woodruff 1952, JASA 47:635; Kish 1965, Survey Sampling).
///
/// The share of times up to the quantile varies between clusters by more than independent times would: by the
/// design effect. The effective number of times is smaller by this factor. The ranks of its interval are
/// scaled to all times. If the quantile is a time without an answer, the share of answered times is used,
/// because the other share is 1 in every cluster.
///
/// The interval covers the true value in 94 to 99 of 100 cases if rounds are minutes apart. For successive
/// rounds it describes only the time of the rounds.
package struct ClusteredQuantile: Hashable, Sendable {
    /// Milliseconds; infinite if the quantile is a time without an answer.
    package let value: Double
    /// The ends of the interval; `nil` if the times are too few. The upper end may be infinite.
    package let lower: Double?
    package let upper: Double?
    /// The ratio of the share's variance to the variance of independent times, at least 1.
    package let designEffect: Double
    /// The number of independent times with the same information.
    package let effectiveCount: Int

    /// Creates the quantile `p` of the times of all clusters; `nil` without times.
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
        /// Returns the position among all times of a rank among the effective times.
        func place(_ rank: Int) -> Double { Double(rank) * count / Double(effective) }
        let low = Int(place(ranks.lower).rounded(.down))
        let high = Int(place(ranks.upper).rounded(.up))
        lower = ranks.lower >= 1 ? times[max(low, 1) - 1] : nil
        upper = ranks.upper <= effective ? times[min(high, times.count) - 1] : nil
    }
}
