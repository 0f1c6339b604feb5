extension LevelScan {
    /// The minimum number of hours in which the start of a change is searched.
    private static let leastSearchHours = 48
    /// Two changes in one direction within these hours are the stages of one change, unless the second is
    /// sharp.
    private static let stageHours = 48
    /// A start is possible if its ln likelihood is less than this below the best.
    private static let possibleStart = 3.0
    /// The standard deviations by which two estimates of one level can differ.
    private static let levelErrors = 2.0
    /// The hours in which a step can prove to be the end of an episode.
    private static let joinedHours = 72
    /// The farthest possible start from the best, in measured hours.
    private static let farthestStart = 48

    /// The beginning of a new level, as an alarm sees it.
    private struct Onset {
        /// The index of the first hour at the new level, and of the hour of the alarm.
        var first: Int
        var now: Int
        /// The number of hours at the new level.
        var count: Int
        /// The difference from the level before in milliseconds.
        var shift: Double
        /// The median of the new level in milliseconds, without the profile.
        var level: Double
        /// The hours in which the change can have begun.
        var within: ClosedRange<Int>
    }

    /// Decides what an alarm is: the end of a drift, the return of an earlier level, a second stage of the
    /// ongoing change, or a new change. `members` end with the hour of the alarm.
    mutating func follow(_ alarm: LevelAlarm, in members: LevelMembers) {
        guard let now = members.indices.last else { return }
        if let open, rows[open.row].kind == .drift, refitDrift(of: open, now: now) { return }
        guard let onset = onset(of: alarm, in: members, now: now),
            !endsAnyChange(onset), !isSecondStage(onset, of: alarm)
        else { return }
        begin(onset, reference: alarm.reference)
    }

    /// Returns the beginning of the new level; `nil` if it has one hour only, because one hour is no change.
    ///
    /// Each hour counts for the new level by its share of the difference. The level begins at the hour from
    /// which the sum of share − ½ is largest.
    private func onset(of alarm: LevelAlarm, in members: LevelMembers, now: Int) -> Onset? {
        let searched = max(Self.leastSearchHours, 3 * alarm.length)
        let oldest = max(0, members.count - searched)
        let weights = members.values[oldest...].map {
            min(max(($0 - alarm.reference) / alarm.difference, 0), 1) - 0.5
        }
        let sums = SuffixSums(weights)
        let best = sums.start
        guard best <= weights.count - 2 else { return nil }
        var after = Array(members.values[(oldest + best)...])
        guard let shifted = after.selectMedian(),
            let level = series.median(members.indices[(oldest + best)...])
        else { return nil }
        // The sums in ln of the likelihood are these sums, times difference² / variance.
        let unit = alarm.difference * alarm.difference / noise.variancePerHour
        let possible = sums.starts(
            within: Self.possibleStart / unit,
            reach: Self.farthestStart
        )
        let hours = members.indices[oldest...].map { series.hours[$0] }
        return Onset(
            first: members.indices[oldest + best],
            now: now,
            count: after.count,
            shift: shifted - alarm.reference,
            level: level,
            within: hours[possible.lowerBound]...hours[possible.upperBound]
        )
    }

    /// Ends the ongoing changes whose earlier level is back. Returns whether there are any.
    private mutating func endsAnyChange(_ onset: Onset) -> Bool {
        guard let open, rows[open.row].kind != .drift else { return false }
        if isBack(at: open, onset) {
            endOpenChange(at: onset.first, now: onset.now)
            return true
        }
        guard let depth = outer.firstIndex(where: { isBack(at: $0, onset) }) else { return false }
        let end = series.hours[onset.first]
        for change in outer[(depth + 1)...] + [open] {
            rows[change.row].end = end
            rows[change.row].kind = .episode
        }
        let begin = series.index(from: rows[outer[depth].row].start)
        series.assign(LevelHours.endedEpisode, to: begin..<max(begin, onset.first))
        self.open = outer[depth]
        outer.removeSubrange(depth...)
        endOpenChange(at: onset.first, now: onset.now)
        return true
    }

    /// Whether the level before a change of the last ten days is back.
    ///
    /// The new level is known from few hours. Two levels are one if their difference is within its error, and
    /// within the dead band.
    private func isBack(at change: OpenChange, _ onset: Onset) -> Bool {
        isBack(
            at: change,
            since: series.hours[onset.first],
            level: onset.level,
            hours: onset.count
        )
    }

    private func isBack(at change: OpenChange, since hour: Int, level: Double, hours: Int) -> Bool {
        let error = noise.deviation(between: hours, and: Incident.referenceHours)
        let reach = max(band / 2, min(band, Self.levelErrors * error))
        return hour - rows[change.row].start <= Incident.longestEpisode
            && abs(level - change.before) < reach
    }

    /// Recognises a step of the last three days as the return of the level before the change that it ended.
    ///
    /// The first hours of a level are an inexact estimate of it. With more hours, a step back can prove to be
    /// a return. The change that was ended is then an episode, and the step is its end.
    mutating func joinReturn(now: Int) {
        guard let step = open, let waiting = outer.last, rows[step.row].kind == .step,
            rows[waiting.row].kind == .step, rows[step.row].size * rows[waiting.row].size < 0
        else { return }
        let start = rows[step.row].start
        let age = series.hours[now] - start
        let first = series.index(from: start)
        let hours = (first...max(first, now)).filter { series.owners[$0] == current }
        guard age <= Self.joinedHours, let level = series.median(hours),
            isBack(at: waiting, since: start, level: level, hours: hours.count)
        else { return }
        rows[step.row].kind = .part
        open = outer.popLast()
        endOpenChange(at: first, now: now)
    }

    /// Counts a slow further move in the direction of a recent change as a part of this change. Returns
    /// whether it is one.
    private mutating func isSecondStage(_ onset: Onset, of alarm: LevelAlarm) -> Bool {
        guard let open, rows[open.row].kind != .drift,
            series.hours[onset.first] - rows[open.row].start < Self.stageHours,
            rows[open.row].hasDirection(of: alarm.difference),
            !isSharp(at: onset.first, size: onset.shift, now: onset.now)
        else { return false }
        rows[open.row].size = onset.level - open.before
        beginLevel(current, onset)
        return true
    }

    /// Begins a new row and its level.
    private mutating func begin(_ onset: Onset, reference: Double) {
        let before = reference + rise(at: series.hours[onset.first])
        refitOpenStep(now: onset.first - 1)
        stack(onset)
        let row = row(of: onset, before: before)
        rows.append(row)
        open = OpenChange(row: rows.count - 1, earlier: current, before: before, slope: slope)
        slope = nil
        highest += 1
        beginLevel(highest, onset)
        refitOpenStep(now: onset.now)
    }

    /// Decides whether the ongoing change waits for the end of the new one. Otherwise it lasts, or a drift
    /// ends.
    ///
    /// A sharp step within ten days of a step, or on a drift, may be an episode in it. A step back may prove to
    /// be the end of the ongoing change.
    private mutating func stack(_ onset: Onset) {
        guard let open else { return }
        let hour = series.hours[onset.first]
        let row = rows[open.row]
        let isSharp = isSharp(at: onset.first, size: onset.shift, now: onset.now)
        if row.kind == .drift {
            var waiting = open
            waiting.slope = slope
            if !isSharp { rows[open.row].end = hour }
            outer = isSharp ? [waiting] : []
        } else if series.hours[onset.now] - row.start <= Incident.longestEpisode, slope == nil,
            isSharp || !row.hasDirection(of: onset.shift)
        {
            outer.append(open)
        } else {
            for change in outer where rows[change.row].kind == .drift {
                rows[change.row].end = row.start
            }
            outer = []
        }
    }

    private func row(of onset: Onset, before: Double) -> LevelRow {
        let start = series.hours[onset.first]
        var row = LevelRow(
            kind: .step,
            start: start,
            within: onset.within,
            established: series.hours[onset.now],
            size: onset.shift,
            before: before,
            interval: onset.shift...onset.shift,
            measuredSize: onset.shift,
            seriesStart: start
        )
        if let last = rows.last(where: { $0.kind == .step }), last.hasDirection(of: row.size),
            start - last.start <= Incident.referenceHours
        {
            row.seriesStart = last.seriesStart
        }
        return row
    }

    /// Gives the hours since the onset to a level.
    private mutating func beginLevel(_ level: Int, _ onset: Onset) {
        let hours = onset.first..<(onset.now + 1)
        current = level
        series.assign(level, to: hours)
        series.setLevel(series.median(hours) ?? onset.level, of: hours)
    }
}
