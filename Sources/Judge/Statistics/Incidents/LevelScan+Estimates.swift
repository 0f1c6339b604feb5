import LibC

extension LevelScan {
    /// Estimates profile and noise from the hours before `index`: each day of the first four weeks, then once
    /// a week.
    mutating func refreshEstimates(at index: Int) {
        let hour = series.hours[index]
        let due = hour - firstHour < Self.estimateHours ? hour / 24 : hour / 168
        guard due != estimated else { return }
        estimated = due
        let oldest = series.index(from: hour - Self.estimateHours)
        let known = (oldest..<index).filter { !series.levels[$0].isNaN }
        if known.count >= 24 {
            series.profile = WeeklyProfile(
                of: known.map { series.deviation($0) },
                hoursOfWeek: known.map { series.hoursOfWeek[$0] }
            )
            foldPatterns(since: series.hours[oldest])
        }
        var recent = Array(series.values[max(0, index - 24)...index])
        band = DeadBand.around(recent.selectMedian() ?? 0)
        let residuals = levelled(known.map { series.adjusted($0) - series.levels[$0] })
        noise = WindowNoise(known.count >= 24 ? residuals : [], prior: band / 4)
        marks = [0.75, 2].map { LevelMark(bands: $0, band: band, residuals: residuals) }
    }

    /// Returns residuals without their straight line and their median. A drift is no noise.
    ///
    /// The line runs through the medians of the first and the last third, so that episodes do not tilt it.
    private func levelled(_ residuals: [Double]) -> [Double] {
        let count = residuals.count
        guard count >= 24 else { return residuals }
        var first = Array(residuals.prefix(count / 3))
        var last = Array(residuals.suffix(count / 3))
        guard let before = first.selectMedian(), let after = last.selectMedian() else { return [] }
        let slope = (after - before) / Double(count - count / 3)
        let flat = residuals.enumerated().map { $1 - Double($0) * slope }
        var room = flat
        let median = room.selectMedian() ?? 0
        return flat.map { $0 - median }
    }

    /// Marks the episodes since `hour` that recur every week. The profile explains half of them.
    private mutating func foldPatterns(since hour: Int) {
        for number in rows.indices.suffix(8) where rows[number].kind == .episode {
            let row = rows[number]
            guard let end = row.end, end >= hour, series.canRecurWeekly(from: row.start, to: end)
            else { continue }
            let direction: Double = row.size > 0 ? 1 : row.size < 0 ? -1 : 0
            var weekly = (series.index(from: row.start)..<series.index(from: end)).map {
                series.profile.weeklyPart[series.hoursOfWeek[$0]] * direction
            }
            guard let explained = weekly.selectMedian() else { continue }
            if explained >= 0.5 * abs(row.size) { rows[number].kind = .pattern }
        }
    }
}

/// A distance from the level, and the number of hours beyond it that are no chance.
struct LevelMark: Sendable {
    /// The chance that as many hours in a row are beyond a mark.
    private static let chance = 3e-6

    /// Milliseconds.
    let distance: Double
    /// The minimum number of hours. As many hours are too many for the share of earlier hours beyond the
    /// mark.
    let leastHours: Double

    init(bands: Double, band: Double, residuals: [Double]) {
        let distance = bands * band
        let beyond = residuals.count { abs($0) > distance }
        let share = Double(beyond + 1) / Double(residuals.count + 2)
        self.distance = distance
        leastHours = log(Self.chance) / log(min(0.8, share))
    }
}
