/// Reads the hours of one resolver in their order, and finds episodes, steps and drifts of its level.
///
/// The unit of work is a day, or the rest of a day after a change. The state depends on earlier hours only.
/// Reading a store therefore gives the same rows as watching the resolver live.
struct LevelScan: Sendable {
    /// The hours from which profile and noise are estimated: 28 days.
    static let estimateHours = 28 * 24
    /// The hours of the present level that are compared: 42 days.
    static let memberHours = 3 * Incident.referenceHours
    /// The longest time to which steps and drifts are fitted: 45 days.
    static let fitHours = 45 * 24
    /// The minimum number of hours that are removed at once. Each removal moves all later hours.
    private static let forgottenAtOnce = 7 * 24
    /// The number of standard deviations that are no chance. Each hour makes fourteen comparisons.
    static let sureDeviations = 5.0
    /// The advantage in 2 ln of the likelihood ratio that a drift needs over a step, and its end over its
    /// continuation.
    static let sureScore = 6.0

    var series = LevelHours()
    var rows: [LevelRow] = []
    /// The number of the present level, and the highest number so far.
    var current = 0
    var highest = 0
    /// The slope of the present level, while a drift is open.
    var slope: LevelSlope?
    /// The change that led to the present level, if it is ongoing.
    var open: OpenChange?
    /// Ongoing changes that ``open`` is part of, the outermost first.
    var outer: [OpenChange] = []
    var noise = WindowNoise([], prior: 0)
    /// The dead band of the present level in milliseconds.
    var band = 0.0
    var marks: [LevelMark] = []
    /// The day or the week of the last estimate of profile and noise.
    var estimated: Int?
    private(set) var firstHour = 0
    /// The index of the first hour that was not read.
    private(set) var unread = 0

    /// Appends an hour. It is read with the other hours of its day.
    mutating func append(hour: Int, value: Double, hourOfWeek: Int) {
        if series.count == 0 { firstHour = hour }
        series.append(hour: hour, value: value, hourOfWeek: hourOfWeek)
    }

    /// Reads the appended hours, which are of one day.
    mutating func read() {
        forgetOldHours()
        while unread < series.count {
            refreshEstimates(at: unread)
            unread = read(unread..<series.count)
        }
    }

    /// Reads the hours of an incomplete day, and computes the sizes from all hours.
    mutating func finish() {
        read()
        refitOpenStep(now: series.count - 1)
    }

    /// Reads a day, or its rest. Returns the index of the first hour that was not read because of a change.
    private mutating func read(_ day: Range<Int>) -> Int {
        series.assign(current, to: day)
        let members = members(before: day.upperBound, from: day.lowerBound)
        let isFirst = current == 0 && rows.isEmpty
        let age = series.hours[day.lowerBound] - firstHour
        guard age >= Incident.learningHours, !isFirst || members.earlier >= 24,
            let level = members.usualLevel
        else {
            learnFirstLevel(before: day.upperBound)
            return day.upperBound
        }
        let alarm = firstAlarm(in: members, around: level, leastReference: isFirst ? 24 : 2)
        if let back = firstReturn(in: members), back.position <= alarm?.position ?? .max {
            let now = members.indices[back.position]
            endOpenChange(at: members.indices[back.first], now: now)
            return now + 1
        }
        let last = alarm.map { members.indices[$0.position] } ?? day.upperBound - 1
        for index in day.lowerBound...last {
            series.levels[index] = level + rise(at: series.hours[index])
        }
        guard let alarm else {
            closeDay(members, now: last)
            return day.upperBound
        }
        follow(alarm, in: members.first(alarm.position + 1))
        return last + 1
    }

    /// Removes the hours that are not read again.
    ///
    /// A change begins at most 42 days before its alarm, and its size looks back 45 days more. The hours of
    /// steps that can still prove to be a drift are kept too.
    private mutating func forgetOldHours() {
        guard unread < series.count else { return }
        let oldest = series.hours[unread] - Self.memberHours - Self.fitHours
        let firstStep = rows.filter { $0.kind == .step && $0.start >= oldest }
            .map { $0.seriesStart - 2 * Incident.referenceHours }.min()
        let forgotten = min(series.index(from: min(oldest, firstStep ?? oldest)), unread - 24)
        guard forgotten >= Self.forgottenAtOnce else { return }
        series.removeFirst(forgotten)
        unread -= forgotten
    }

    /// Returns the hours of the present level in the last 42 days.
    private func members(before end: Int, from day: Int) -> LevelMembers {
        let oldest = series.index(from: series.hours[day] - Self.memberHours)
        let indices = (oldest..<end).filter { series.owners[$0] == current }
        let values = indices.map { series.adjusted($0) - rise(at: series.hours[$0]) }
        return LevelMembers(
            indices: indices,
            values: values,
            earlier: indices.count - (end - day)
        )
    }

    /// Returns the milliseconds by which an open drift moved the level since its start.
    func rise(at hour: Int) -> Double { slope?.rise(at: hour) ?? 0 }
}

/// A steady rise or fall of a level.
struct LevelSlope: Hashable, Sendable {
    var start: Int
    /// Milliseconds per hour.
    var rate: Double

    func rise(at hour: Int) -> Double { rate * Double(hour - start) }
}

/// An ongoing change and the level before it.
struct OpenChange: Sendable {
    /// The index of the change in the rows.
    var row: Int
    /// The number of the level before.
    var earlier: Int
    /// The level before in milliseconds, at the start of the change.
    var before: Double
    /// The slope of the level before, if the change began during a drift.
    var slope: LevelSlope?
}

/// The hours of the present level: their indices in the series, and their values without profile and slope.
struct LevelMembers: Sendable {
    var indices: [Int]
    var values: [Double]
    /// The number of hours before the day that is read.
    var earlier: Int

    var count: Int { indices.count }

    /// The median of the 14 days before the day. Without these, it is the median of the day itself.
    var usualLevel: Double? {
        let range = max(0, earlier - Incident.referenceHours)..<earlier
        var room = Array(earlier > 0 ? values[range] : values[...])
        return room.selectMedian()
    }

    /// Returns the first `count` of these hours.
    func first(_ count: Int) -> LevelMembers {
        LevelMembers(
            indices: Array(indices.prefix(count)),
            values: Array(values.prefix(count)),
            earlier: earlier
        )
    }
}
