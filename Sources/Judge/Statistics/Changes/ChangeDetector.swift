/// Finds lasting changes in a resolver's hours.
///
/// Each hour is held against the same hour of the day over the 14 days before, once the weekly cycle
/// is taken off, with a dead-band: smaller drifts are always there and nothing to tell of. Hours
/// that are missing are skipped.
package enum ChangeDetector {
    /// In milliseconds, and as a share of the reference: the larger of both is the dead-band.
    package static let leastBand = 2.0
    package static let relativeBand = 0.1
    /// The dead-band around a level, in milliseconds.
    package static func band(around level: Double) -> Double {
        max(leastBand, relativeBand * level)
    }

    /// How far back the reference reaches.
    package static let referenceHours = 14 * 24
    /// Fewest earlier days that have the hour, to judge one by them.
    package static let leastDays = 3
    /// One change that is found twice, or dated anew by later hours, moves less than this.
    package static let sameChangeHours = 48

    /// The history of one resolver from blocks in any order; of two with one hour the first counts.
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
    /// By the names that programs know, which never change.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case slower, faster
        /// A change of the slow answers, as the p90 tells: the median moved less, if at all.
        case slowerTail = "slower-tail"
        case fasterTail = "faster-tail"
        case lessReliable = "less-reliable"
        case moreReliable = "more-reliable"
        /// A change of the names that it is asked for first, and may have in its cache.
        case lessCached = "less-cached"
        case moreCached = "more-cached"

        /// The measure that a level is of.
        package enum Measure: Hashable, Sendable, CaseIterable { case median, p90, losses, cache }

        package var measure: Measure {
            switch self {
            case .slower, .faster: .median
            case .slowerTail, .fasterTail: .p90
            case .lessReliable, .moreReliable: .losses
            case .lessCached, .moreCached: .cache
            }
        }

        /// Whether it is of times, in milliseconds; else of a share, 0 to 1: of failures, or of
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
    /// The level before and after: of speed the median of the hours' medians, or of their p90, but for
    /// the weekly cycle.
    package var before: Double
    package var after: Double
    /// After − before; of speed the interquartile mean of the differences between the hours' medians,
    /// or p90, each paired with one of the same hour of the day.
    package var size: Double
    /// Order-statistic interval of the median difference to 95 %; `nil` where there are too few hours for one,
    /// and for shares.
    package var interval: ClosedRange<Double>?
    /// The change of the median, found in the same way, where ``kind`` is of the p90; else `nil`.
    package var medianMoved: Double?
}

/// The changes in one resolver's hours.
package struct ChangeHistory: Hashable, Sendable {
    /// In the order of their hours.
    package var changes: [LevelChange]
    /// Hours whose median could be held against a reference; without any, nothing is known of its
    /// speed.
    package var judgedHours: Int
}

/// Evidence that a mean rose above what it may be, for a series that may be watched for ever: an
/// e-detector (Shin, Ramdas & Rinaldo 2023), the mean of five bets that begin anew when they lose.
///
/// While no observation's expectation is above its mean, the average run to a false alarm is at least as
/// many observations as the threshold.
struct EDetector {
    private static let usualBets = [0.05, 0.1, 0.2, 0.4, 0.8]
    private static let usualThreshold = 1000.0

    private let bets: [Double]
    private let threshold: Double
    /// M of each bet, and the number of the observation that it began at.
    private var wealth: [Double]
    private var starts: [Int]
    private var observations = 0

    init(bets: [Double] = usualBets, threshold: Double = usualThreshold) {
        (self.bets, self.threshold) = (bets, threshold)
        wealth = bets.map { _ in 1 }
        starts = bets.map { _ in 0 }
    }

    /// M ← max(M, 1)·(1 + s/m·(u − m)), for u from 0 on, of which `mean` is m; 0 is never above it.
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

    /// Whether the mean is above what it may be now.
    var isAlarmed: Bool { evidence >= threshold }

    /// How many observations ago the bet that won the most began.
    var length: Int {
        let best = wealth.indices.max { wealth[$0] < wealth[$1] } ?? 0
        return observations - starts[best]
    }
}

/// Evidence of a rise and of a fall of one series: each alarm begins both anew.
struct DetectorPair {
    var rise = EDetector()
    var fall = EDetector()

    /// The alarm that there is now, and how many observations ago its evidence began.
    mutating func takeAlarm() -> (isRise: Bool, length: Int)? {
        let isRise = rise.isAlarmed
        guard isRise || fall.isAlarmed else { return nil }
        defer { self = DetectorPair() }
        return (isRise, isRise ? rise.length : fall.length)
    }
}

/// The places of the first hour at a new level, and of the one in which the evidence sufficed.
typealias FoundChange = (kind: LevelChange.Kind, start: Int, alarm: Int)

extension [HourlyBlock] {
    /// Each of `changes` with the hours on both sides, up to its neighbours and `reach` hours away.
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
    /// The one from which on the weights sum to the most; of several the last.
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
