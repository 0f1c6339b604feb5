package import Samples
package import Statistics

extension WindowGrouping {
    /// The number of positions of the cycle that the groups form; `nil` if they form none.
    fileprivate var cycle: Int? { self == .hour ? 24 : self == .weekday ? 7 : nil }

    /// Whether the groups return every day, or every week.
    package var isCycle: Bool { cycle != nil }
}

extension [WindowTally.Key: [LatencySummary]] {
    /// The median of each resolver over the places; `nil` beyond the timeout.
    package var medians: [Recording.Target: Double?] {
        reduce(into: [:]) { $0[$1.key.target] = LatencySummary(ofPlaces: $1.value)?.median }
    }

    package var placeCounts: [Recording.Target: Int] {
        reduce(into: [:]) { $0[$1.key.target] = $1.value.count }
    }
}

extension HistoryHours {
    /// Tests for each resolver whether its median follows the hour of the day or the weekday. A resolver with
    /// too few days or weeks is absent, and so is each resolver of other groupings.
    package func patterns(over grouping: WindowGrouping) -> [Recording.Target: CycleTest] {
        let tests = Concurrently.map(
            Array(Dictionary(grouping: timelines, by: \.subject.target))
        ) { target, places in (target, CycleTest(of: places, over: grouping)) }
        return Dictionary(
            tests.compactMap { target, test in test.map { (target, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the figures of each resolver in each group of times, one summary per place.
    package func summaries(over grouping: WindowGrouping) -> [WindowTally.Key: [LatencySummary]] {
        var found: [WindowTally.Key: [LatencySummary]] = [:]
        for timeline in timelines {
            var groups: [WindowGroup: Figures] = [:]
            for (hour, figures) in timeline.hours {
                let time = timeline.clock.time(at: Timestamp(hoursSinceEpoch: hour))
                groups[grouping.group(of: time), default: Figures()].merge(figures)
            }
            for (group, figures) in groups where figures.counts.measured > 0 {
                let key = WindowTally.Key(group: group, target: timeline.subject.target)
                found[key, default: []].append(figures.latency)
            }
        }
        return found
    }
}

extension CycleTest {
    /// Tests one resolver at its `places`. The places have different distances, so the differences from the
    /// median of each place count. Returns `nil` for too few days or weeks.
    package init?(of places: [HistoryHours.Timeline], over grouping: WindowGrouping) {
        guard let cycle = grouping.cycle else { return nil }
        var units: [Int: [Double]] = [:]
        for place in places {
            let values = place.medians(per: grouping)
            guard let own = values.map(\.value).median else { continue }
            for (unit, value) in values { units[unit, default: []].append(value - own) }
        }
        self.init(period: cycle, units.map { ($0.key, $0.value.median ?? 0) })
    }
}

extension HistoryHours.Timeline {
    /// The median of each hour, or of each day's hours, by the clock of the reader. Units count from the
    /// Monday before 1970. A median beyond the timeout counts as the timeout.
    fileprivate func medians(per grouping: WindowGrouping) -> [(unit: Int, value: Double)] {
        var units: [Int: [Double]] = [:]
        for (hour, figures) in hours {
            let latency = figures.latency
            guard latency.count > 0 else { continue }
            let median = latency.median ?? latency.timeout
            let time = clock.time(at: Timestamp(hoursSinceEpoch: hour))
            // 1970-01-01 was a Thursday.
            let day = time.date.daysSinceEpoch + 3
            units[grouping == .hour ? day * 24 + time.hour : day, default: []].append(median)
        }
        return units.compactMap { unit, values in values.median.map { (unit, $0) } }
    }
}
