/// The usual deviation of each hour of the week from the level, in milliseconds.
///
/// A recurring evening or weekend is no incident. The profile is subtracted from the values first.
struct WeeklyProfile: Sendable {
    private static let hoursPerWeek = 168
    /// The minimum number of days for an hour of the day, and of weeks for an hour of the week.
    private static let leastSeen = 3
    /// The smallest deviation of an hour of the week, in milliseconds. Smaller ones are attributed to chance.
    private static let leastWeekly = 0.5

    /// The deviation of each hour of the week, 168 values.
    private(set) var deviations = [Double](repeating: 0, count: hoursPerWeek)
    /// The part of ``deviations`` that not every day of the week has, 168 values.
    private(set) var weeklyPart = [Double](repeating: 0, count: hoursPerWeek)

    /// Creates the profile of a resolver without a pattern.
    init() {}

    /// Creates the profile from deviations from the level, in milliseconds, and their hours of the week.
    init(of observed: [Double], hoursOfWeek: [Int]) {
        let hoursOfDay = hoursOfWeek.map { $0 % 24 }
        guard let daily = Self.daily(HourGroups(observed, hours: hoursOfDay, cycle: 24)) else {
            return
        }
        let rests = zip(observed, hoursOfDay).map { $0 - daily[$1] }
        weeklyPart = Self.weekly(HourGroups(rests, hours: hoursOfWeek, cycle: Self.hoursPerWeek))
        deviations = weeklyPart.enumerated().map { daily[$0 % 24] + $1 }
    }

    /// Returns the deviation of each hour of the day, with mean 0; `nil` if too few days are known.
    ///
    /// The neighbouring hours count half, so that few days are sufficient.
    private static func daily(_ byHour: HourGroups) -> [Double]? {
        let medians = byHour.medians(of: [-1, 0, 0, 1], leastCount: leastSeen)
        let known = medians.compactMap(\.self)
        guard !known.isEmpty else { return nil }
        let mean = known.reduce(0, +) / Double(known.count)
        return medians.map { $0.map { $0 - mean } ?? 0 }
    }

    /// Returns the deviation of each hour of the week from its hour of the day.
    ///
    /// Two hours on either side are included, so that a single hour cannot create a pattern by chance.
    private static func weekly(_ byHour: HourGroups) -> [Double] {
        byHour.medians(of: [-2, -1, 0, 1, 2], leastCount: leastSeen).map { median in
            guard let median, abs(median) >= leastWeekly else { return 0 }
            return median
        }
    }
}

/// Values by the hour of a cycle, in one array. An array per hour would need two hundred allocations.
private struct HourGroups {
    /// The share of an hour's values that a pattern explains: three of four days.
    private static let usualShare = 0.75

    private let cycle: Int
    /// The values in the order of their hours of the cycle.
    private var values: [Double]
    /// The index of the first value of each hour, and the number of all values.
    private var starts: [Int]

    init(_ values: [Double], hours: [Int], cycle: Int) {
        self.cycle = cycle
        self.values = values
        starts = Array(repeating: 0, count: cycle + 1)
        for hour in hours { starts[hour + 1] += 1 }
        for hour in 0..<cycle { starts[hour + 1] += starts[hour] }
        var next = starts
        for (value, hour) in zip(values, hours) {
            self.values[next[hour]] = value
            next[hour] += 1
        }
    }

    /// Returns the median around each hour: of the values at these distances from it, in hours. It is 0 if most
    /// values of the hour are not on its side, and `nil` for hours with fewer than `leastCount` values.
    func medians(of distances: [Int], leastCount: Int) -> [Double?] {
        var near: [Double] = []
        return (0..<cycle).map { hour in
            guard starts[hour + 1] - starts[hour] >= leastCount else { return nil }
            near.removeAll(keepingCapacity: true)
            for distance in distances {
                let other = (hour + distance + cycle) % cycle
                near += values[starts[other]..<starts[other + 1]]
            }
            return near.selectMedian().map { isUsual($0, at: hour) ? $0 : 0 }
        }
    }

    /// Whether most values of an hour are on the side of `deviation`. Otherwise chance, or a few episodes, are
    /// the deviation.
    private func isUsual(_ deviation: Double, at hour: Int) -> Bool {
        let own = values[starts[hour]..<starts[hour + 1]]
        let sameSide = own.count { deviation > 0 ? $0 > 0 : $0 < 0 }
        return Double(sameSide) >= Self.usualShare * Double(own.count)
    }
}
