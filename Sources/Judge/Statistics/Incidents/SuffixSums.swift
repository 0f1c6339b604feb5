/// The sums of weights from each index to the last one. They show when a change began: a weight is positive
/// if its hour fits the new level better, and negative if it fits the old one better.
struct SuffixSums {
    /// The sum from each index to the end.
    let sums: [Double]
    /// The index with the largest sum, and the latest of several; 0 without weights.
    let start: Int

    init(_ weights: [Double]) {
        var sums = weights
        var (sum, start) = (0.0, max(0, weights.count - 1))
        for index in weights.indices.reversed() {
            sum += weights[index]
            sums[index] = sum
            if sum > sums[start] { start = index }
        }
        (self.sums, self.start) = (sums, start)
    }

    /// Returns the first and the last index at most `reach` from the start whose sum is less than `distance`
    /// below the largest one. With weights that are log likelihood ratios, the change may have begun at each
    /// of them.
    func starts(within distance: Double, reach: Int = .max) -> ClosedRange<Int> {
        guard sums.indices.contains(start) else { return 0...0 }
        let least = sums[start] - distance
        func isPossible(_ index: Int) -> Bool {
            sums[index] >= least && abs(index - start) <= reach
        }
        let first = sums.indices.first(where: isPossible) ?? start
        let last = sums.indices.last(where: isPossible) ?? start
        return first...last
    }
}
