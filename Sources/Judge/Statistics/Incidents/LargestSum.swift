extension BidirectionalCollection<Int> {
    /// Returns the index from which the sum of the weights is largest; the last index if several are equal.
    func startOfLargestSum(_ weight: (Int) -> Double) -> Int? {
        var sum = 0.0
        var best = -Double.infinity
        var start: Int?
        for index in reversed() {
            sum += weight(index)
            guard sum > best else { continue }
            best = sum
            start = index
        }
        return start
    }
}
