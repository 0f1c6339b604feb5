extension LevelScan {
    /// The hours after the start in which the start is estimated again.
    private static let estimatedAgain = 12...72
    /// The hours around the start in which it can lie.
    private static let searchedHours = 48

    /// Estimates the start of the open step again, from the hours on both sides of it.
    ///
    /// An alarm knows few hours of the new level, and its size is inexact. The start is where the hours on both
    /// sides fit the two levels best.
    mutating func refineStart(now: Int) {
        guard let change = open, rows[change.row].kind == .step else { return }
        let row = rows[change.row]
        guard Self.estimatedAgain ~= series.hours[now] - row.start, row.size != 0 else { return }
        let first = series.index(from: row.start)
        var indices: [Int] = []
        let oldest = series.index(from: row.start - Self.searchedHours)
        let last = min(now, series.index(from: row.start + Self.searchedHours))
        for index in oldest..<max(oldest, last + 1) {
            if series.owners[index] == current || series.owners[index] == change.earlier {
                indices.append(index)
            } else if index < first {
                // The level before the change does not reach behind another change.
                indices = []
            }
        }
        let weights = indices.map { index in
            let before =
                change.before + (change.slope?.rate ?? 0) * Double(series.hours[index] - row.start)
            return min(max((series.adjusted(index) - before) / row.size, 0), 1) - 0.5
        }
        let sums = SuffixSums(weights)
        guard indices.indices.contains(sums.start) else { return }
        let best = indices[sums.start]
        guard best != first, now - best >= 2 else { return }
        rows[change.row].start = series.hours[best]
        if best < first {
            series.assign(current, to: best..<first)
        } else {
            series.assign(change.earlier, to: first..<best)
        }
        rows[change.row].within =
            min(
                row.within.lowerBound,
                series.hours[best]
            )...max(row.within.upperBound, series.hours[best])
    }
}
