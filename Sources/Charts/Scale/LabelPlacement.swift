/// Where labels go that each want a place of their own along one direction.
enum LabelPlacement {
    /// Places for `wishes` (ascending), at least `gap` apart and inside `range`, that together lie
    /// as near to the wishes as can be (least squares, by pooling neighbours that collide); where
    /// the range is too short for the gap, the labels are spread evenly over it.
    static func spread(_ wishes: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double] {
        guard wishes.count > 1 else { return wishes.map { clamp($0, to: range) } }
        let length = range.upperBound - range.lowerBound
        let gap = min(gap, length / Double(wishes.count - 1))
        var pools: [(sum: Double, count: Int)] = []
        for (index, wish) in wishes.enumerated() {
            // Less the room that those before it take, places only have to be in order.
            pools.append((wish - Double(index) * gap, 1))
            while pools.count > 1, mean(pools[pools.count - 2]) >= mean(pools[pools.count - 1]) {
                let last = pools.removeLast()
                pools[pools.count - 1].sum += last.sum
                pools[pools.count - 1].count += last.count
            }
        }
        let highest = range.upperBound - Double(wishes.count - 1) * gap
        let slack = range.lowerBound...max(range.lowerBound, highest)
        let ordered = pools.flatMap { pool in
            [Double](repeating: clamp(mean(pool), to: slack), count: pool.count)
        }
        return ordered.enumerated().map { $1 + Double($0) * gap }
    }

    private static func mean(_ pool: (sum: Double, count: Int)) -> Double {
        pool.sum / Double(pool.count)
    }

    private static func clamp(_ value: Double, to range: ClosedRange<Double>) -> Double {
        min(max(value, range.lowerBound), range.upperBound)
    }
}
