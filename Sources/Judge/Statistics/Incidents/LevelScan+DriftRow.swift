extension LevelScan {
    /// The number of the latest rows that can be parts of a drift.
    private static let latestRows = 6
    /// Two drifts in one direction with a shorter gap, in hours, are one drift.
    private static let leastGap = 48
    /// The standard errors on both sides of a rate. They exceed 1.96, because the fit also chooses the start.
    private static let intervalErrors = 3.0
    /// The largest distance of a drift's possible start from its start, in hours.
    private static let farthestStart = 72.0

    /// Records the fit of a drift, and gives its hours to the present level.
    mutating func setDrift(
        _ change: OpenChange,
        _ fit: DriftFit,
        among indices: ArraySlice<Int>,
        now: Int
    ) {
        let last = fit.end ?? series.hours[now]
        record(fit, in: change.row)
        let origin = continuedDrift(fit, in: change.row, last: last)
        absorbParts(since: origin.start, of: change.row, rate: fit.rate)
        let half = Self.intervalErrors * fit.rateError * Double(abs(last - origin.start))
        let total = fit.after - origin.before
        rows[change.row].interval = (total - half)...(total + half)
        let slope = LevelSlope(start: origin.start, rate: fit.rate)
        for index in indices where series.hours[index] >= origin.start {
            let rise = slope.rise(at: min(series.hours[index], last))
            series.setLevel(origin.before + rise, of: index..<(index + 1))
            series.assign(current, to: index..<(index + 1))
        }
        self.slope = slope
        if let end = fit.end { endDrift(at: end, since: origin.start, among: indices) }
    }

    private mutating func record(_ fit: DriftFit, in number: Int) {
        let error = Self.intervalErrors * fit.rateError
        let slack = Int(min(Self.farthestStart, band / abs(fit.rate) / 2))
        rows[number].start = fit.start
        rows[number].within = (fit.start - slack)...(fit.start + slack)
        rows[number].end = fit.end
        rows[number].before = fit.before
        rows[number].size = fit.size
        rows[number].rate = fit.rate * 24
        rows[number].rateInterval = ((fit.rate - error) * 24)...((fit.rate + error) * 24)
    }

    /// Joins an earlier drift in the same direction that was thought to have ended. Returns the start of the
    /// whole drift, and the level before it.
    private mutating func continuedDrift(
        _ fit: DriftFit,
        in number: Int,
        last: Int
    ) -> (start: Int, before: Double) {
        var (start, before) = (fit.start, fit.before)
        for other in rows.indices.suffix(Self.latestRows) where other != number {
            let row = rows[other]
            guard row.kind == .drift, let end = row.end, end >= start - Self.leastGap,
                row.start < start, let rate = row.rate, rate * fit.rate > 0
            else { continue }
            (start, before) = (row.start, row.before)
            rows[other].kind = .part
            rows[number].start = start
            rows[number].before = before
            rows[number].size = fit.after - before
            rows[number].established = min(rows[number].established, row.established)
            rows[number].rate = rows[number].size / Double(max(1, last - start)) * 24
        }
        return (start, before)
    }

    /// Marks earlier steps and drifts as parts of the same movement.
    private mutating func absorbParts(since start: Int, of number: Int, rate: Double) {
        for other in rows.indices.suffix(Self.latestRows) where other != number {
            let row = rows[other]
            guard row.kind == .step || row.kind == .drift, row.start >= start - 24,
                row.hasDirection(of: rate)
            else { continue }
            rows[other].kind = .part
            rows[number].established = min(rows[number].established, row.established)
        }
    }

    /// Begins the level after an ended drift.
    private mutating func endDrift(at end: Int, since start: Int, among indices: ArraySlice<Int>) {
        highest += 1
        current = highest
        for index in indices where series.hours[index] >= max(start, end) {
            series.assign(current, to: index..<(index + 1))
        }
        slope = nil
        open = nil
    }
}
