extension LevelScan {
    /// The number of standard deviations of an interval of 95 %. It exceeds 1.96, because the noise is an
    /// estimate.
    private static let intervalDeviations = 2.2
    /// A change is sharp if this share of it happened between six hours and the next six hours.
    private static let sharpShare = 0.6
    private static let sharpHours = 6

    /// Returns the 95 % interval of a difference between the means of `after` and `before` hours, in
    /// milliseconds.
    func interval(of size: Double, after: Int, before: Int) -> ClosedRange<Double> {
        let half = Self.intervalDeviations * noise.deviation(between: after, and: before)
        return (size - half)...(size + half)
    }

    /// Whether most of a change happened at once at the index `first`. Hours after `now` are unknown.
    func isSharp(at first: Int, size: Double, now: Int) -> Bool {
        let before = max(0, first - Self.sharpHours)..<first
        let after = first..<max(first, min(first + Self.sharpHours, now + 1))
        guard before.count > 1, after.count > 1, size != 0,
            let old = series.median(before), let new = series.median(after)
        else { return false }
        return (new - old) * (size > 0 ? 1 : -1) >= Self.sharpShare * abs(size)
    }

    /// Returns the indices of the last 14 days of the level before a change, and of the present level, both
    /// within 45 days before `now`.
    func sides(of change: OpenChange, now: Int) -> (before: [Int], after: [Int]) {
        let oldest = series.index(from: series.hours[now] - Self.fitHours)
        var (before, after): ([Int], [Int]) = ([], [])
        for index in oldest..<(now + 1) {
            if series.owners[index] == current {
                after.append(index)
            } else if series.owners[index] == change.earlier {
                before.append(index)
            }
        }
        return (before.suffix(Incident.referenceHours), after)
    }

    /// Computes the size of the open step again: the median of up to 14 days after the step, less the median
    /// of up to 14 days before.
    mutating func refitOpenStep(now: Int) {
        guard let change = open, rows[change.row].kind != .drift, now >= 0 else { return }
        let sides = sides(of: change, now: now)
        let start = rows[change.row].start
        guard let after = series.median(sides.after.prefix(Incident.referenceHours)) else { return }
        var before = change.before
        if sides.before.count >= 24 {
            let rate = change.slope?.rate ?? 0
            var values = sides.before.map {
                series.adjusted($0) - rate * Double(series.hours[$0] - start)
            }
            before = values.selectMedian() ?? before
        }
        open?.before = before
        rows[change.row].before = before
        rows[change.row].size = after - before
        measure(change, after: sides.after.prefix(Incident.referenceHours), before: sides.before)
        rows[change.row].interval = interval(
            of: after - before,
            after: min(sides.after.count, Incident.referenceHours),
            before: max(1, sides.before.count)
        )
    }

    /// Computes the size of a change as it was measured, with the course of the day and the week.
    mutating func measure(
        _ change: OpenChange,
        after: some Collection<Int>,
        before: some Collection<Int>
    ) {
        guard let new = series.measuredMedian(after) else { return }
        rows[change.row].measuredSize = new - (series.measuredMedian(before) ?? change.before)
    }
}
