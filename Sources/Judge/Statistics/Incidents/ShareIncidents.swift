/// Finds when a share of a resolver's queries or names rose or fell, hour by hour (method of incidents, §3).
///
/// The rate of the last hours is compared with the rate of the 84 days before, for 17 lengths from 3 hours to
/// 42 days. Each result depends on earlier hours only. The last of several readings therefore contains what
/// the earlier ones established. The scan keeps the hours of 154 days.
package struct ShareIncidents: Sendable {
    /// The hours after which weekends have a course of their own: three weeks.
    private static let weekendHours = 504
    /// The limits of rates in logarithms.
    private static let highestRate = 0.98
    private static let lowestRate = 1e-6
    /// The hours to which the scan looks back from the hour that it examines.
    private static let reach = ShareLevel.referenceHours + ShareLevel.longestWindow
    /// The hours that the scan keeps: 154 days. The size of an open change comes from the first 28 days after
    /// its start.
    static let keptHours = reach + ShareLevel.usualHours
    /// The least number of old hours to drop at once, because the others then move.
    private static let dropped = 28 * 24

    /// The change that lasts, which is the last row.
    private struct OpenChange {
        /// The level, its rate and its queries before the change.
        var levelBefore: Int
        var rateBefore: Double
        var weightBefore: Double
        /// The sums after the change.
        var sums = CountedRate(part: 0, whole: 0)

        /// The rate after the change.
        var rate: Double { sums.part / max(1, sums.whole) }
    }

    private let rules: ShareRules
    private var hours = ShareHours()
    /// The number of ``hours`` that are examined. The others are of the last day.
    private var examined = 0
    private var endOfDay: Int?
    private var level = 0
    private var lastLevel = 0
    private var scatter = 1.0
    private var open: OpenChange?
    /// All changes so far, also those that turned out to be small.
    private var rows: [Incident] = []

    package init(_ rules: ShareRules) { self.rules = rules }

    /// Adds the next hour. Hours without data, and hours out of order, are skipped.
    package mutating func add(_ share: ShareHour) {
        guard share.whole > 0, share.hour > hours.hours.last ?? .min else { return }
        if let endOfDay, share.hour >= endOfDay {
            examine()
            dropOldHours(before: share.hour)
        }
        if share.hour >= endOfDay ?? .min { endOfDay = (share.hour / 24 + 1) * 24 }
        hours.append(share, level: level)
    }

    /// The changes up to the last hour, in the order of their establishment. Changes whose size turned out to
    /// be too small are left out.
    package var incidents: [Incident] {
        established.filter { rules.areDifferent($0.before, $0.before + $0.size) }
    }

    /// All changes up to the last hour, also the small ones.
    var established: [Incident] {
        var scan = self
        scan.examine()
        scan.measureOpen(upTo: scan.hours.count)
        return scan.rows
    }

    /// Examines the hours of the last day. After a change, the rest of the day is compared with the new
    /// level.
    private mutating func examine() {
        while examined < hours.count {
            examined = examine(examined..<hours.count)
        }
    }

    private mutating func dropOldHours(before hour: Int) {
        let old = hours.index(of: hour - Self.keptHours)
        guard old >= Self.dropped else { return }
        hours.dropFirst(old)
        examined -= old
    }
}

/// The examination of one day.
extension ShareIncidents {
    /// Examines the hours of `day` up to the first change or return. Returns the index of the hour after it.
    private mutating func examine(_ day: Range<Int>) -> Int {
        let hour = hours.hours[day.lowerBound]
        let age = hour - (hours.first ?? hour)
        let oldest = hours.index(of: hour - Self.reach)
        hours.setLevel(level, day)
        guard age >= Incident.learningHours else { return day.upperBound }
        var course = ShareCourse.constant
        if rules.hasBursts {
            course = hours.course(
                of: hours.index(of: hour - ShareLevel.usualHours)..<day.lowerBound,
                includesWeekends: age >= Self.weekendHours
            )
        }
        let present = ShareLevel(
            level,
            hours,
            in: oldest..<day.upperBound,
            day: day,
            course: course,
            rules: rules
        )
        scatter = present.scatter
        let change = present.firstChange()
        if let back = firstReturn(in: present, from: hour), back.end <= change?.end ?? .max {
            return endChange(at: present.indices[back.start], found: present.indices[back.end])
        }
        guard let change else {
            measureOpen(upTo: day.upperBound)
            return day.upperBound
        }
        return beginChange(change, in: present)
    }

    private func firstReturn(in present: ShareLevel, from hour: Int) -> (end: Int, start: Int)? {
        guard let open, let start = rows.last?.start, hour - start <= Incident.longestEpisode + 24,
            open.rate > 0, open.rate < Self.highestRate
        else { return nil }
        return present.firstReturn(to: open.rateBefore, present: open.rate, in: hours)
    }

    /// Begins a level, unless the change is the return of the rate before the open change.
    private mutating func beginChange(_ change: ShareLevel.Change, in present: ShareLevel) -> Int {
        let old = min(Self.highestRate, change.rateBefore)
        let new = min(Self.highestRate, max(Self.lowestRate, change.rate))
        let (best, within) = present.start(of: change, old: old, new: new)
        let (start, end) = (present.indices[best], present.indices[change.end] + 1)
        if isReturn(start..<end) { return endChange(at: start, found: end - 1) }
        measureOpen(upTo: start)
        let earliest = hours.hours[present.indices[within.lowerBound]]
        let latest = hours.hours[present.indices[within.upperBound]]
        rows.append(
            Incident(
                kind: .step,
                start: hours.hours[start],
                within: earliest...latest,
                established: hours.hours[end - 1],
                size: 0,
                before: old,
                interval: 0...0
            )
        )
        open = OpenChange(
            levelBefore: level,
            rateBefore: old,
            weightBefore: change.weightBefore
        )
        lastLevel += 1
        level = lastLevel
        hours.setLevel(level, start..<hours.count)
        measureOpen(upTo: end)
        return end
    }

    /// Whether the rate in `range` is the rate before the open change, which began at most ten days earlier.
    private func isReturn(_ range: Range<Int>) -> Bool {
        guard let open, let start = rows.last?.start,
            hours.hours[range.lowerBound] - start <= Incident.longestEpisode
        else { return false }
        let sums = hours.sums(range)
        return !rules.areDifferent(sums.part / max(1, sums.whole), open.rateBefore)
    }

    /// Ends the open change, whose rate was back from the hour at `end` on. The hours of the episode leave
    /// all references.
    private mutating func endChange(at end: Int, found: Int) -> Int {
        guard let open, let row = rows.indices.last else { return found + 1 }
        let start = hours.index(of: rows[row].start)
        measureOpen(start..<max(end, start + 1))
        let hour = hours.hours[end]
        rows[row].end = hour
        rows[row].kind = hour - rows[row].start <= Incident.longestEpisode ? .episode : .step
        hours.setLevel(ShareHours.noLevel, start..<end)
        level = open.levelBefore
        hours.setLevel(level, end..<hours.count)
        self.open = nil
        return found + 1
    }
}

/// The size of a change.
extension ShareIncidents {
    /// Measures the open change over its first 28 days, up to the hour at `end`. Its sums are final before
    /// its hours are dropped.
    private mutating func measureOpen(upTo end: Int) {
        guard open != nil, let row = rows.last, let first = hours.hours.first else { return }
        guard row.start >= first else { return setSize() }
        let start = hours.index(of: row.start)
        let last = min(end, hours.index(of: row.start + ShareLevel.usualHours))
        measureOpen(start..<max(start, last))
    }

    private mutating func measureOpen(_ range: Range<Int>) {
        open?.sums = hours.sums(range)
        setSize()
    }

    /// Sets the size of the open change and its 95 % interval, which the scatter widens.
    private mutating func setSize() {
        guard let open, let row = rows.indices.last else { return }
        let (before, whole) = (open.rateBefore, open.sums.whole)
        let rate = (open.sums.part + 1) / (whole + 2)
        let variance =
            rate * (1 - rate) / (whole + 2) + before * (1 - before) / open.weightBefore
        let (size, margin) = (open.rate - before, 1.96 * (scatter * variance).squareRoot())
        rows[row].size = size
        rows[row].interval = (size - margin)...(size + margin)
    }
}
