/// What was measured of one resolver in one stretch of time. A stretch without measurements has no
/// bin: it is a gap, and not a loss.
public struct TimeBin: Hashable, Sendable {
    /// Where the stretch begins, in seconds since 1970 UTC, and how long it is, in seconds.
    public var start: Int64
    public var length: Int64
    /// Queries in all, and those without an answer.
    public var sent: Int
    public var lost: Int
    /// The times of the answers, ascending and apart.
    public var density: [DensityBucket]

    public init(start: Int64, length: Int64, sent: Int, lost: Int, density: [DensityBucket]) {
        self.start = start
        self.length = length
        self.sent = sent
        self.lost = lost
        self.density = density
    }
}

/// How many answers took from `lower` to `upper` milliseconds; equal ends are one exact time.
public struct DensityBucket: Hashable, Sendable {
    public var lower: Double
    public var upper: Double
    public var count: Int

    public init(lower: Double, upper: Double, count: Int) {
        self.lower = lower
        self.upper = upper
        self.count = count
    }

    /// The time that is within the bucket's relative error of every time in it (Masson, Rim and
    /// Lee 2019, §2.1): the harmonic mean of its ends.
    var representative: Double {
        lower > 0 && upper > 0 ? 2 * lower * (upper / (lower + upper)) : 0
    }

    var isSound: Bool {
        count > 0 && lower.isFinite && upper.isFinite && lower >= 0 && lower <= upper
    }
}

extension TimeBin {
    /// Beyond these no history is meant; they keep every sum of moments and counts defined.
    private static let crediblePast: Int64 = 1 << 40
    private static let credibleCount = 1 << 40

    /// Where the stretch ends.
    var end: Int64 { start + length }

    /// Queries without an answer within the timeout.
    var beyond: Int { max(lost, sent - answered) }

    private var answered: Int { density.reduce(0) { $0 + $1.count } }

    /// The order statistic at ⌈n·p⌉ over every query, in milliseconds, as exact as the buckets;
    /// `nil` where it lies beyond the timeout, and without queries.
    func quantile(_ p: Double) -> Double? {
        let total = answered + beyond
        guard total > 0 else { return nil }
        let rank = max(1, Int((Double(total) * p - 1e-9).rounded(.up)))
        var passed = 0
        for bucket in density {
            passed += bucket.count
            if passed >= rank { return bucket.representative }
        }
        return nil
    }

    /// The bin with sums and moments that can be reckoned with; `nil` if it says nothing.
    var sound: TimeBin? {
        let past = -Self.crediblePast...Self.crediblePast
        guard past.contains(start), length > 0, sent > 0 else { return nil }
        let buckets = density.filter(\.isSound).map {
            DensityBucket(
                lower: $0.lower,
                upper: $0.upper,
                count: min($0.count, Self.credibleCount / (1 << 12))
            )
        }
        return TimeBin(
            start: start,
            length: min(length, Self.crediblePast),
            sent: min(sent, Self.credibleCount),
            lost: min(max(lost, 0), sent, Self.credibleCount),
            density: Array(buckets.prefix(1 << 12))
        )
    }

    /// Takes in what another bin measured: counts and buckets add up, so that quantiles of the
    /// whole are those of all its queries and never averages of quantiles.
    mutating func merge(_ other: TimeBin) {
        let last = max(end, other.end)
        start = min(start, other.start)
        length = last - start
        sent += other.sent
        lost += other.lost
        density = Self.merged(density, other.density)
    }

    private static func merged(_ one: [DensityBucket], _ other: [DensityBucket]) -> [DensityBucket]
    {
        var result: [DensityBucket] = []
        result.reserveCapacity(max(one.count, other.count))
        var (i, j) = (0, 0)
        while i < one.count || j < other.count {
            if j == other.count || i < one.count && isBefore(one[i], other[j]) {
                result.append(one[i])
                i += 1
            } else if i == one.count || isBefore(other[j], one[i]) {
                result.append(other[j])
                j += 1
            } else {
                var bucket = one[i]
                bucket.count += other[j].count
                result.append(bucket)
                (i, j) = (i + 1, j + 1)
            }
        }
        return result
    }

    private static func isBefore(_ one: DensityBucket, _ other: DensityBucket) -> Bool {
        (one.lower, one.upper) < (other.lower, other.upper)
    }
}
