/// A test whether the positions of a cycle differ, such as the hours of the day or the days of the week.
///
/// The extremes of any series have some position, also if its values were shuffled. A sentence about a pattern
/// therefore needs this test. It asks whether the same positions are high in most periods.
///
/// Slow drifts are removed first: each value minus the median of the values within half a period. The values of
/// a period become ranks. The statistic is Σ S²/n over the positions, where S is the sum of a position's n
/// ranks around their middle. It is compared with the statistics of series whose periods were rotated, each by
/// a random number of positions. A rotation keeps neighbours together, so that correlated hours are no pattern
/// (a permutation test; Good 2005, "Permutation, Parametric and Bootstrap Tests of Hypotheses").
package struct CycleTest: Hashable, Sendable {
    /// The rotations that the statistic is compared with. The smallest p-value is 1/(rotations + 1).
    private static let rotations = 1_999
    /// The number of periods with at least two values that a test needs.
    package static let fewestPeriods = 4
    /// The p-value up to which a single pattern is reported. Correlated hours exceed this rate of false
    /// patterns: at most 3 % were reported in simulated series.
    package static let level = 0.01

    /// The positions with the lowest and the highest mean rank, from 0.
    package let lowest: Int
    package let highest: Int
    /// The probability of a statistic that is at least as large, if no position differs.
    package let pValue: Double

    /// Tests one value per unit, such as the median of each hour. `unit` counts units since a fixed time at
    /// which a period began. Returns `nil` for too few periods.
    package init?(period: Int, _ values: [(unit: Int, value: Double)]) {
        let ranked = Self.periods(of: Self.withoutDrift(values, within: period / 2), length: period)
        guard ranked.count >= Self.fewestPeriods else { return nil }
        var random = RandomSequence(seed: 2009)
        var sums = [Double](repeating: 0, count: period)
        var counts = sums
        for position in ranked.joined() { counts[position.position] += 1 }
        func statistic(_ rotation: (Int) -> Int) -> Double {
            for index in sums.indices { sums[index] = 0 }
            for values in ranked {
                let first = rotation(values.count)
                for (index, value) in values.enumerated() {
                    let other = index + first
                    sums[value.position] +=
                        values[other < values.count ? other : other - values.count].rank
                }
            }
            return zip(sums, counts).reduce(0) { $1.1 > 0 ? $0 + $1.0 * $1.0 / $1.1 : $0 }
        }
        // Rounding must not make an equal statistic smaller.
        let observed = statistic { _ in 0 } * (1 - 1e-12)
        let means = zip(sums, counts).map { $1 > 0 ? $0 / $1 : nil }
        let measured = means.indices.filter { means[$0] != nil }.sorted {
            (means[$0] ?? 0, $0) < (means[$1] ?? 0, $1)
        }
        lowest = measured.first ?? 0
        highest = measured.last ?? 0
        let larger = (0..<Self.rotations).count { _ in
            statistic { random.next(below: $0) } >= observed
        }
        pValue = Double(larger + 1) / Double(Self.rotations + 1)
    }

    /// Returns whether one of `count` tested patterns is established.
    package func isEstablished(among count: Int) -> Bool {
        pValue <= min(Self.level, 0.05 / Double(max(1, count)))
    }

    /// Returns each value minus the median of the values within `reach` units.
    private static func withoutDrift(
        _ values: [(unit: Int, value: Double)],
        within reach: Int
    ) -> [(unit: Int, value: Double)] {
        let sorted = values.filter(\.value.isFinite).sorted { $0.unit < $1.unit }
        var first = 0
        var end = 0
        return sorted.map { unit, value in
            while sorted[first].unit < unit - reach { first += 1 }
            while end < sorted.count, sorted[end].unit <= unit + reach { end += 1 }
            return (unit, value - (sorted[first..<end].map(\.value).median ?? value))
        }
    }

    /// Returns the ranks of each period with at least two values, from −½ to ½ around their middle. Equal
    /// values share their mean rank.
    private static func periods(
        of values: [(unit: Int, value: Double)],
        length: Int
    ) -> [[(position: Int, rank: Double)]] {
        let periods = Dictionary(grouping: values) { $0.unit.dividedDown(by: length) }
        return periods.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }.map { own in
            own.map { unit, value in
                let below = own.count { $0.value < value }
                let equal = own.count { $0.value == value }
                let rank = (Double(below) + Double(equal) / 2) / Double(own.count)
                return (unit.rest(by: length), rank - 0.5)
            }
        }
    }
}
