extension [Double] {
    /// Ranges up to this number of values are sorted by insertion, which is faster for few values.
    private static var fewValues: Int { 16 }

    /// Returns the median and reorders the values; `nil` without values.
    ///
    /// Selection (Hoare 1961) takes time in proportion to the number of values. Sorting would take most of the
    /// time of a reading.
    mutating func selectMedian() -> Double? {
        guard !isEmpty else { return nil }
        let middle = count / 2
        select(middle)
        guard count % 2 == 0 else { return self[middle] }
        var lower = self[0]
        for index in 1..<Swift.max(1, middle) { lower = Swift.max(lower, self[index]) }
        return (lower + self[middle]) / 2
    }

    /// Moves the value of the rank `rank` in ascending order to its place. Smaller values precede it.
    private mutating func select(_ rank: Int) {
        var low = 0
        var high = count - 1
        while high - low >= Self.fewValues {
            let (left, right) = partition(low, high)
            if rank <= right {
                high = right
            } else if rank >= left {
                low = left
            } else {
                return
            }
        }
        sortByInsertion(low, high)
    }

    /// Moves small values before large ones. Returns the first index of the large ones and the last index of
    /// the small ones. Values between them are equal.
    private mutating func partition(_ low: Int, _ high: Int) -> (left: Int, right: Int) {
        let pivot = pivot(low, high)
        var left = low
        var right = high
        while left <= right {
            while self[left] < pivot { left += 1 }
            while self[right] > pivot { right -= 1 }
            guard left <= right else { break }
            swapAt(left, right)
            left += 1
            right -= 1
        }
        return (left, right)
    }

    /// Returns the median of the first, the middle and the last value, so that sorted values take no longer.
    private func pivot(_ low: Int, _ high: Int) -> Double {
        let (first, middle, last) = (self[low], self[low + (high - low) / 2], self[high])
        return Swift.max(Swift.min(first, middle), Swift.min(Swift.max(first, middle), last))
    }

    private mutating func sortByInsertion(_ low: Int, _ high: Int) {
        guard low < high else { return }
        for index in (low + 1)...high {
            let value = self[index]
            var place = index
            while place > low, self[place - 1] > value {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = value
        }
    }
}
