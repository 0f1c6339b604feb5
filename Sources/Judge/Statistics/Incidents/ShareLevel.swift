import LibC

/// The hours of the present level up to the end of the examined day.
///
/// All that an hour is compared with comes from the hours before the day. The hours of a level need not be
/// consecutive: an episode in between belongs to no level.
struct ShareLevel {
    /// The lengths of the last window, in hours with data.
    static let windows = [
        3, 4, 6, 8, 12, 16, 24, 36, 48, 72, 96, 144, 192, 288, 432, 648, 1008,
    ]
    static let longestWindow = 1008
    /// The hours before a window with which it is compared: 84 days.
    static let referenceHours = 84 * 24
    /// The hours of the usual rate and of the scatter: 28 days.
    static let usualHours = 28 * 24
    /// The fewest hours of the reference, at the first level and at later ones.
    private static let leastReference = (first: 24, later: 3)
    /// The fewest hours for a scatter.
    private static let leastScatterHours = 48
    /// The fewest hours on the side of the change: one burst is no rate.
    private static let leastHours = 3
    /// ln of the likelihood ratio, below the best start, at which the change may also have begun.
    private static let startDistance = 3.0

    private let rules: ShareRules
    private let isFirst: Bool
    /// The index of each hour in the hours of the scan.
    private(set) var indices: [Int] = []
    /// The number of hours before the day.
    private let known: Int
    /// The rate of 28 days before the day.
    private let usualRate: Double
    /// The sums of the limited parts, and of the wholes weighted by the usual course.
    private let sums: RateSums
    /// The scatter before each window. The scatter of hours that include the change would hide the change.
    private let scatters: [Double]

    /// The scatter before the shortest window.
    var scatter: Double { scatters[0] }

    /// Creates the level with this number. `range` has the hours to which the scan looks back. It ends with
    /// the hours to examine, `day`, which are all of the level.
    init(
        _ number: Int,
        _ hours: ShareHours,
        in range: Range<Int>,
        day: Range<Int>,
        course: ShareCourse,
        rules: ShareRules
    ) {
        let rate = Self.usualRate(number, hours, in: range, day: day, course: course)
        var sums = RateSums(capacity: range.count)
        indices.reserveCapacity(range.count)
        for index in range where hours.levels[index] == number {
            let weight = hours.wholes[index] * course.factors[hours.cells[index]]
            let part = hours.parts[index]
            sums.append(
                part: rules.hasBursts ? ShareRules.limited(part, expected: weight * rate) : part,
                whole: weight
            )
            indices.append(index)
        }
        let known = indices.count - day.count
        scatters = Self.windows.map { window in
            let end = max(0, known - window)
            guard end >= Self.leastScatterHours else { return 1 }
            return sums.scatter(max(0, end - Self.usualHours)..<end)
        }
        (self.rules, self.known, self.sums) = (rules, known, sums)
        (usualRate, isFirst) = (rate, number == 0)
    }

    /// The rate of the last 28 days before the day; of the day's first hour if the level begins with it.
    private static func usualRate(
        _ number: Int,
        _ hours: ShareHours,
        in range: Range<Int>,
        day: Range<Int>,
        course: ShareCourse
    ) -> Double {
        var (usual, count) = (CountedRate(part: 0, whole: 0), 0)
        func add(_ index: Int) {
            let weight = hours.wholes[index] * course.factors[hours.cells[index]]
            usual.add(part: hours.parts[index], whole: weight)
            count += 1
        }
        for index in (range.lowerBound..<day.lowerBound).reversed()
        where hours.levels[index] == number {
            add(index)
            if count == usualHours { break }
        }
        if count == 0 { add(day.lowerBound) }
        return usual.usualRate
    }
}

/// The search for a change of the rate.
extension ShareLevel {
    /// A window whose rate differs from the rate before it.
    struct Change {
        /// The last hour of the window, as a position in the level.
        var end: Int
        var window: Int
        /// The ln of the likelihood ratio, divided by the scatter.
        var evidence: Double
        /// The rates in the window and before it, and the queries before it.
        var rate: Double
        var rateBefore: Double
        var weightBefore: Double
    }

    /// The first hour of the day at which the last hours of some length differ from the hours before them,
    /// with the length that differs most.
    func firstChange() -> Change? {
        for end in known..<indices.count {
            var best: Change?
            for (number, window) in Self.windows.enumerated() {
                guard let change = change(end: end, window: window, scatter: scatters[number])
                else { continue }
                if change.evidence > best?.evidence ?? 0 { best = change }
            }
            if let best { return best }
        }
        return nil
    }

    /// Returns the change of the last `window` hours, if it is established. The cheap conditions are first.
    private func change(end: Int, window: Int, scatter: Double) -> Change? {
        let start = end + 1 - window
        guard start >= (isFirst ? Self.leastReference.first : Self.leastReference.later)
        else { return nil }
        let (last, past) = (start..<(end + 1), max(0, start - Self.referenceHours)..<start)
        let now = sums[last]
        let before = CountedRate(part: sums[past].part + 0.5, whole: sums[past].whole + 1)
        guard rules.areDifferent(now.rate, before.rate) else { return nil }
        let atMostAll = CountedRate(part: now.part, whole: max(now.whole, now.part))
        // The margin is for rounding.
        let least = rules.leastEvidence * scatter
        guard CountedRate.boundOfLogRatio(atMostAll, before) >= 0.999 * least else { return nil }
        let evidence = CountedRate.logRatio(atMostAll, before) / scatter
        guard evidence >= rules.leastEvidence, hasHours(last, isRise: now.rate > before.rate)
        else { return nil }
        return Change(
            end: end,
            window: window,
            evidence: evidence,
            rate: now.rate,
            rateBefore: before.rate,
            weightBefore: before.whole
        )
    }

    /// Whether enough hours have more than usual, or less in a fall.
    private func hasHours(_ range: Range<Int>, isRise: Bool) -> Bool {
        var count = 0
        for hour in range {
            let (part, usual) = (sums[hour].part, sums[hour].whole * usualRate)
            if isRise ? part > usual : part < usual { count += 1 }
            if count == Self.leastHours { return true }
        }
        return false
    }

    /// Returns the position at which `change` most likely began, and those at which it may have begun. The
    /// log likelihood ratio of both rates is summed from each hour to the end of the window.
    func start(
        of change: Change,
        old: Double,
        new: Double
    ) -> (best: Int, within: ClosedRange<Int>) {
        let end = change.end + 1
        let first = max(3, end - max(48, 3 * change.window))
        let (part, rest) = (log(new / old), log((1 - new) / (1 - old)))
        let sums = SuffixSums(
            (first..<end).map { hour in
                let counted = self.sums[hour]
                return counted.part * part + (counted.whole - counted.part) * rest
            }
        )
        let within = sums.starts(within: Self.startDistance * scatter)
        return (
            first + sums.start, (first + within.lowerBound)...(first + within.upperBound)
        )
    }
}

/// The search for the return of an earlier rate.
extension ShareLevel {
    /// The ln of the likelihood ratio that a return needs.
    private static let leastReturn = 7.0

    /// The first hour of the day at which the rate is back at `old`, and the hour from which on it is, as
    /// positions. A cumulative sum compares the earlier rate with a rate halfway to the `present` one on the
    /// logarithmic scale. The first estimate of a new rate is too far from the earlier one, and would give
    /// false returns.
    func firstReturn(
        to old: Double,
        present: Double,
        in hours: ShareHours
    ) -> (end: Int, start: Int)? {
        let halfway = (present * max(old, present / 20)).squareRoot()
        let (part, rest) = (log(old / halfway), log((1 - old) / (1 - halfway)))
        var (sum, least, start) = (0.0, 0.0, 0)
        for hour in indices.indices {
            let counted = hours.parts[indices[hour]]
            sum += (counted * part + (sums[hour].whole - counted) * rest) / scatter
            if sum < least { (least, start) = (sum, hour + 1) }
            guard hour >= max(known, 2), sum - least >= Self.leastReturn else { continue }
            return (hour, start)
        }
        return nil
    }
}
