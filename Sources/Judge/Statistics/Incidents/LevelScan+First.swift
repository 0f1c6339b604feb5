/// The levels of the first three days, which have no reference.
extension LevelScan {
    /// The fewest hours of each of these levels. A course of the day has shorter parts.
    private static let leastHours = 12
    /// More levels within three days are a course of the day.
    private static let mostLevels = 3
    /// The part of the absolute deviations that may be left after a split.
    private static let leftDeviation = 0.5

    /// Sets the level of the hours before the index `end`.
    ///
    /// Three days can contain a change. Its size is no noise, and would hide later changes for weeks. The
    /// first test of the fourth day finds the change itself.
    mutating func learnFirstLevel(before end: Int) {
        var parts: [Range<Int>] = []
        split(0..<end, into: &parts)
        if parts.count > Self.mostLevels { parts = [0..<end] }
        for part in parts {
            guard let level = firstLevel(part) else { return }
            series.setLevel(level, of: part)
        }
    }

    private func firstLevel(_ hours: Range<Int>) -> Double? {
        var values = Array(series.values[hours])
        return values.selectMedian()
    }

    /// Splits hours at the sharp change that explains them best, and both parts again.
    private func split(_ hours: Range<Int>, into parts: inout [Range<Int>]) {
        guard let first = bestSplit(hours) else { return parts.append(hours) }
        split(hours.lowerBound..<first, into: &parts)
        split(first..<hours.upperBound, into: &parts)
    }

    private func bestSplit(_ hours: Range<Int>) -> Int? {
        let whole = deviation(hours)
        var (best, least) = (Int?.none, Self.leftDeviation * whole)
        guard hours.count >= 2 * Self.leastHours else { return nil }
        for first in hours.dropFirst(Self.leastHours).dropLast(Self.leastHours - 1) {
            let left = deviation(hours.lowerBound..<first) + deviation(first..<hours.upperBound)
            if left < least { (best, least) = (first, left) }
        }
        guard let best, let before = firstLevel(hours.lowerBound..<best),
            let after = firstLevel(best..<hours.upperBound),
            abs(after - before) >= DeadBand.around(min(before, after)),
            isSharp(at: best, size: after - before, now: hours.upperBound - 1)
        else { return nil }
        return best
    }

    /// Returns the sum of absolute deviations from the median.
    private func deviation(_ hours: Range<Int>) -> Double {
        guard let level = firstLevel(hours) else { return 0 }
        return series.values[hours].reduce(0) { $0 + abs($1 - level) }
    }
}
