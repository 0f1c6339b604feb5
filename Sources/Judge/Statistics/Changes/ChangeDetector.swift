/// Finds lasting changes in a resolver's hours.
///
/// Each hour is compared with the same hour of the day over the 14 days before. The weekly cycle is removed
/// first. A dead-band excludes smaller drifts, which are always present. Missing hours are skipped.
package enum ChangeDetector {
    /// The dead-band in milliseconds, and as a share of the reference. The larger one counts.
    package static let leastBand = 2.0
    package static let relativeBand = 0.1
    /// Returns the dead-band around a level, in milliseconds.
    package static func band(around level: Double) -> Double {
        max(leastBand, relativeBand * level)
    }

    /// The length of the reference, in hours.
    package static let referenceHours = 14 * 24
    /// The minimum number of earlier days with the same hour, to judge an hour.
    package static let leastDays = 3
    /// Two changes less than this apart, in hours, are one change that was found twice or re-dated by later
    /// hours.
    package static let sameChangeHours = 48

    /// Returns the history of one resolver from blocks in any order. The first of two blocks of one hour
    /// counts.
    package static func history(of blocks: [HourlyBlock]) -> ChangeHistory {
        var seen: Set<Int> = []
        let hours = blocks.filter { $0.measured > 0 && seen.insert($0.hour).inserted }
            .sorted { $0.hour < $1.hour }
        let speed = SpeedChanges(hours)
        let losses = ShareChanges(.losses, hours)
        let cache = ShareChanges(.cache, hours)
        let times = TailChanges(hours).merged(with: speed.changes)
        return ChangeHistory(
            changes: (times + losses.changes + cache.changes).sorted { $0.hour < $1.hour },
            judgedHours: speed.judgedHours
        )
    }
}

/// A lasting change of one resolver's speed, reliability or cache.
package struct LevelChange: Hashable, Sendable {
    /// The kind of a change. Programs read these names, so they never change.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case slower, faster
        /// A change of the slow answers, measured at the p90. The median moved less, or not at all.
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        /// A change of the share of names in the cache when they are first asked for.
        case lessCached = "less-cached"
        case moreCached = "more-cached"

        /// The quantity that a level measures.
        package enum Measure: Hashable, Sendable, CaseIterable { case median, p90, losses, cache }

        package var measure: Measure {
            switch self {
            case .slower, .faster: .median
            case .slowerTail, .fasterTail: .p90
            case .lessReliable, .moreReliable: .losses
            case .lessCached, .moreCached: .cache
            }
        }

        /// Whether the level is a time, in milliseconds. Otherwise it is a share, 0 to 1: of failures, or of
        /// names in the cache.
        package var isOfSpeed: Bool { measure == .median || measure == .p90 }

        package var isForTheWorse: Bool {
            switch self {
            case .slower, .slowerTail, .lessReliable, .lessCached: true
            case .faster, .fasterTail, .moreReliable, .moreCached: false
            }
        }
    }

    package var kind: Kind
    /// The first hour at the new level, since 1970-01-01T00:00:00Z.
    package var hour: Int
    /// The hour in which the evidence sufficed.
    package var establishedHour: Int
    /// The level before and after. For times it is the median of the hours' medians, or of their p90, without
    /// the weekly cycle.
    package var before: Double
    package var after: Double
    /// After − before. For times it is the interquartile mean of the differences between the hours' medians,
    /// or p90, each paired with an hour of the same hour of the day.
    package var size: Double
    /// The 95 % order-statistic interval of the median difference; `nil` with too few hours, and for shares.
    package var interval: ClosedRange<Double>?
    /// The change of the median, found in the same way, if ``kind`` is of the p90; otherwise `nil`.
    package var medianMoved: Double?
}

/// The changes in one resolver's hours.
package struct ChangeHistory: Hashable, Sendable {
    /// The changes in the order of their hours.
    package var changes: [LevelChange]
    /// The number of hours whose median could be compared with a reference. If it is 0, nothing is known
    /// about changes of speed.
    package var judgedHours: Int
}

/// Evidence that a mean rose above its permitted value, for a series without an end: an e-detector (Shin,
/// Ramdas & Rinaldo 2023). It is the mean of five bets that begin again when they lose.
///
/// While no observation's expectation exceeds the permitted mean, the average number of observations to a
/// false alarm is at least the threshold.
struct EDetector {
    private static let usualBets = [0.05, 0.1, 0.2, 0.4, 0.8]
    private static let usualThreshold = 1000.0

    private let bets: [Double]
    private let threshold: Double
    /// M of each bet, and the number of the observation at which it began.
    private var wealth: [Double]
    private var starts: [Int]
    private var observations = 0

    init(bets: [Double] = usualBets, threshold: Double = usualThreshold) {
        (self.bets, self.threshold) = (bets, threshold)
        wealth = bets.map { _ in 1 }
        starts = bets.map { _ in 0 }
    }

    /// M ← max(M, 1)·(1 + s/m·(u − m)), for u ≥ 0 and m = `mean`. An observation of 0 never counts as above
    /// the mean.
    mutating func observe(_ u: Double, mean: Double = 0.5) {
        let excess = mean > 0 ? u / mean - 1 : -1
        for (index, bet) in bets.enumerated() {
            if wealth[index] <= 1 {
                wealth[index] = 1
                starts[index] = observations
            }
            wealth[index] *= 1 + bet * excess
        }
        observations += 1
    }

    /// The mean M of the bets.
    var evidence: Double { wealth.reduce(0, +) / Double(bets.count) }

    /// Whether the mean currently exceeds its permitted value.
    var isAlarmed: Bool { evidence >= threshold }

    /// The number of observations since the most successful bet began.
    var length: Int {
        let best = wealth.indices.max { wealth[$0] < wealth[$1] } ?? 0
        return observations - starts[best]
    }
}

/// Evidence of a rise and of a fall of one series. Each alarm resets both.
struct DetectorPair {
    var rise = EDetector()
    var fall = EDetector()

    /// Returns the current alarm, and the number of observations since its evidence began; `nil` without an
    /// alarm.
    mutating func takeAlarm() -> (isRise: Bool, length: Int)? {
        let isRise = rise.isAlarmed
        guard isRise || fall.isAlarmed else { return nil }
        defer { self = DetectorPair() }
        return (isRise, isRise ? rise.length : fall.length)
    }
}

/// A change with the indices of the first hour at a new level, and of the hour in which the evidence
/// sufficed.
typealias FoundChange = (kind: LevelChange.Kind, start: Int, alarm: Int)

extension [HourlyBlock] {
    /// Returns each of `changes` with the hours on both sides, up to its neighbours and at most `reach` hours
    /// away.
    func sides(of changes: [FoundChange], reach: Int)
        -> [(change: FoundChange, before: Range<Int>, after: Range<Int>)]
    {
        changes.indices.map { number in
            let start = changes[number].start
            let hour = self[start].hour
            let oldest = partitioningIndex { $0.hour >= hour - reach }
            let newest = partitioningIndex { $0.hour >= hour + reach }
            let previous = number > 0 ? changes[number - 1].start : 0
            let next = number + 1 < changes.count ? changes[number + 1].start : newest
            return (
                changes[number], Swift.max(oldest, previous)..<start,
                start..<Swift.min(newest, next)
            )
        }
    }
}

extension BidirectionalCollection<Int> {
    /// Returns the index from which the sum of the weights is largest; the last index if several are equal.
    func startOfLargestSum(_ weight: (Int) -> Double) -> Int? {
        var sum = 0.0
        var best = -Double.infinity
        var start: Int?
        for index in reversed() {
            sum += weight(index)
            guard sum > best else { continue }
            best = sum
            start = index
        }
        return start
    }
}
