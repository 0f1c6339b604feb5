/// Sums of a part and of its whole over the hours before each index. Sums over any range take constant time.
struct RateSums {
    private var sums: [CountedRate]

    init(capacity: Int) {
        sums = [CountedRate(part: 0, whole: 0)]
        sums.reserveCapacity(capacity + 1)
    }

    mutating func append(part: Double, whole: Double) {
        var last = sums[sums.count - 1]
        last.add(part: part, whole: whole)
        sums.append(last)
    }

    /// The sums over `range`.
    subscript(range: Range<Int>) -> CountedRate {
        let (before, last) = (sums[range.lowerBound], sums[range.upperBound])
        return CountedRate(part: last.part - before.part, whole: last.whole - before.whole)
    }

    /// The sums of one hour.
    subscript(hour: Int) -> CountedRate { self[hour..<(hour + 1)] }

    /// Returns how many times more the parts of blocks scatter than under a constant rate, at least 1.
    ///
    /// It is Pearson's chi-square over its degrees of freedom, of blocks of 6 hours and of days, whichever is
    /// larger. Losses come in bursts, so that hours are not independent. Six blocks count as seen before, as
    /// chance has them, because few blocks say little about the scatter. The limit of one block prevents a
    /// single burst from hiding later changes.
    func scatter(_ range: Range<Int>) -> Double {
        let rate = self[range].usualRate
        var largest = 1.0
        for hours in [6, 24] {
            let scatter = scatter(range, hours: hours, rate: rate)
            if scatter > largest { largest = scatter }
        }
        return largest
    }

    private func scatter(_ range: Range<Int>, hours: Int, rate: Double) -> Double {
        let (prior, limit) = (6.0, 16.0)
        let blocks = range.count / hours
        guard blocks >= 2 else { return 1 }
        var sum = prior
        var before = sums[range.lowerBound]
        for block in 1...blocks {
            let last = sums[range.lowerBound + block * hours]
            let expected = max((last.whole - before.whole) * rate, 1e-9)
            let excess = last.part - before.part - expected
            sum += min(excess * excess / (expected * (1 - rate)), limit)
            before = last
        }
        return sum / (Double(blocks) + prior - 1)
    }
}
