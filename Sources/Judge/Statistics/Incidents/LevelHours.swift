/// The measured hours of one resolver, each with its value, its hour of the week and its level.
struct LevelHours: Sendable {
    /// The owner of hours that belong to an ended episode. No reference contains them.
    static let endedEpisode = -1
    /// Episodes up to this number of hours can be part of a weekly pattern.
    private static let patternHours = 60
    /// The hours of the week in which a working week begins, and those in which it ends: around the midnights
    /// before Monday and Saturday.
    private static let workBegins: Set = [162, 163, 164, 165, 166, 167, 0, 1, 2, 3, 4, 5, 6]
    private static let workEnds = 114...126

    /// Hours since 1970 in UTC, ascending. Missing hours are skipped.
    private(set) var hours: [Int] = []
    /// Milliseconds.
    private(set) var values: [Double] = []
    private(set) var hoursOfWeek: [Int] = []
    /// The number of the level that each hour belongs to.
    private(set) var owners: [Int] = []
    /// The level of each hour in milliseconds, without the profile. NaN before it is known.
    var levels: [Double] = []
    /// The level of the hours of ended episodes, as the profile sees it; NaN for other hours. For short
    /// episodes it is the level before, because short episodes can recur every week.
    private(set) var profileLevels: [Double] = []
    var profile = WeeklyProfile()

    var count: Int { hours.count }

    mutating func append(hour: Int, value: Double, hourOfWeek: Int) {
        hours.append(hour)
        values.append(value)
        hoursOfWeek.append(hourOfWeek)
        owners.append(0)
        levels.append(.nan)
        profileLevels.append(.nan)
    }

    /// Removes the oldest hours.
    mutating func removeFirst(_ count: Int) {
        hours.removeFirst(count)
        values.removeFirst(count)
        hoursOfWeek.removeFirst(count)
        owners.removeFirst(count)
        levels.removeFirst(count)
        profileLevels.removeFirst(count)
    }

    /// Returns the index of the first measured hour from `hour` on.
    func index(from hour: Int) -> Int { hours.partitioningIndex { $0 >= hour } }

    /// Returns the value without the weekly profile, in milliseconds.
    func adjusted(_ index: Int) -> Double {
        values[index] - profile.deviations[hoursOfWeek[index]]
    }

    /// Returns the deviation of an hour from its level, for the profile. Its level must be known.
    func deviation(_ index: Int) -> Double {
        let level = profileLevels[index]
        return values[index] - (level.isNaN ? levels[index] : level)
    }

    /// Whether an episode can be part of a weekly pattern.
    ///
    /// If a store begins at a slow weekend, each working week is an episode until the pattern is known.
    func canRecurWeekly(from start: Int, to end: Int) -> Bool {
        if end - start <= Self.patternHours { return true }
        let (first, next) = (index(from: start), index(from: end))
        return end - start < 168 && next < count
            && Self.workBegins.contains(hoursOfWeek[first])
            && Self.workEnds ~= hoursOfWeek[next]
    }

    /// Returns the median of the values without the profile; `nil` without hours.
    func median(_ indices: some Collection<Int>) -> Double? {
        var adjusted = indices.map { self.adjusted($0) }
        return adjusted.selectMedian()
    }

    /// Returns the median of the values as they were measured; `nil` without hours.
    func measuredMedian(_ indices: some Collection<Int>) -> Double? {
        var measured = indices.map { values[$0] }
        return measured.selectMedian()
    }

    mutating func assign(_ owner: Int, to range: Range<Int>) {
        for index in range { owners[index] = owner }
    }

    mutating func setProfileLevel(_ level: Double, of range: Range<Int>) {
        for index in range { profileLevels[index] = level }
    }

    mutating func setLevel(_ level: Double, of range: Range<Int>) {
        for index in range { levels[index] = level }
    }
}
