extension [Double] {
    /// Returns the median and reorders the values; `nil` without values.
    ///
    /// Selection (Hoare 1961) takes time in proportion to the number of values. Sorting would take most of
    /// the time of a reading.
    mutating func selectMedian() -> Double? {
        guard !isEmpty else { return nil }
        let middle = count / 2
        let isOdd = count % 2 == 1
        var values = mutableSpan
        values.select(middle)
        guard !isOdd else { return values[middle] }
        var lower = values[0]
        for index in 1..<Swift.max(1, middle) { lower = Swift.max(lower, values[index]) }
        return (lower + values[middle]) / 2
    }
}

extension MutableSpan<Double> {
    /// Ranges up to this number of values are sorted by insertion, which is faster for few values.
    private static var fewValues: Int { 12 }

    /// Moves the value with this rank in ascending order to its place. Smaller values precede it.
    fileprivate mutating func select(_ rank: Int) {
        var low = 0
        var high = count
        while high - low > Self.fewValues {
            let pivot = pivot(low, high)
            var middle = partition(low, high) { $0 < pivot }
            if middle == low {
                // The pivot is the smallest value. Equal values are at their places.
                middle = partition(low, high) { $0 <= pivot }
                if rank < middle { return }
            }
            if rank < middle { high = middle } else { low = middle }
        }
        sortByInsertion(low, high)
    }

    /// Moves the values for which `isSmall` holds before the other values. Returns the index of the first of
    /// the other values.
    ///
    /// The loop has no branch. A processor cannot predict comparisons of random values.
    @inline(__always)
    private mutating func partition(
        _ low: Int,
        _ high: Int,
        _ isSmall: (Double) -> Bool
    ) -> Int {
        var boundary = low
        for index in low..<high {
            let value = self[index]
            self[index] = self[boundary]
            self[boundary] = value
            boundary += isSmall(value) ? 1 : 0
        }
        return boundary
    }

    /// Returns the median of three values, so that sorted values take no longer.
    private func pivot(_ low: Int, _ high: Int) -> Double {
        let (first, middle, last) = (self[low], self[low + (high - low) / 2], self[high - 1])
        return Swift.max(Swift.min(first, middle), Swift.min(Swift.max(first, middle), last))
    }

    private mutating func sortByInsertion(_ low: Int, _ high: Int) {
        guard low < high else { return }
        for index in (low + 1)..<high {
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
