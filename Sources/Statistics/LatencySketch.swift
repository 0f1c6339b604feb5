#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The distribution of many times in few counts: a DDSketch (Masson, Rim & Lee, VLDB 2019) of times
/// in milliseconds, whose every quantile is within 1 % of the exact one, also after merging.
///
/// Bucket i counts the times in (γ^(i−1), γ^i] with γ = 1.01/0.99. Times below a nanosecond, and
/// above eleven days, count as such.
package struct LatencySketch: Hashable, Sendable {
    /// Times counted.
    package private(set) var count = 0
    /// The bucket that ``counts`` begins with.
    private(set) var first = 0
    /// One bucket after the other; neither the first nor the last is empty. A bucket counts up to
    /// 2³² − 1, for years of rollups are in memory together.
    private(set) var counts: [UInt32] = []

    static let logGamma = log(1.01 / 0.99)
    /// The buckets of 1 ns and of 10⁹ ms.
    static let indices =
        Int(
            (log(1e-6) / logGamma).rounded(.up)
        )...Int(
            (log(1e9) / logGamma).rounded(.up)
        )

    package init() {}

    /// Puts the buckets together; `counts` neither begins nor ends with 0 and adds up to `count`.
    init(first: Int, counts: [UInt32], count: Int) {
        self.first = first
        self.counts = counts
        self.count = count
    }

    /// Counts one more time; what is no number is none.
    package mutating func insert(_ milliseconds: Double) {
        guard !milliseconds.isNaN else { return }
        let index = Self.index(of: milliseconds)
        reserve(index)
        if counts[index - first] < .max { counts[index - first] += 1 }
        count = Self.sum(count, 1)
    }

    /// Counts what `other` has counted.
    package mutating func merge(_ other: LatencySketch) {
        guard let last = other.counts.indices.last else { return }
        reserve(other.first)
        reserve(other.first + last)
        let shift = other.first - first
        for position in other.counts.indices {
            let (sum, overflow) = counts[position + shift].addingReportingOverflow(
                other.counts[position]
            )
            counts[position + shift] = overflow ? .max : sum
        }
        count = Self.sum(count, other.count)
    }

    /// What is left without times that were all counted here too.
    package func without(_ other: LatencySketch) -> LatencySketch {
        var left = counts
        for position in other.counts.indices {
            let own = position + other.first - first
            guard left.indices.contains(own) else { continue }
            left[own] -= min(left[own], other.counts[position])
        }
        guard let lowest = left.firstIndex(where: { $0 > 0 }),
            let highest = left.lastIndex(where: { $0 > 0 })
        else { return LatencySketch() }
        let kept = Array(left[lowest...highest])
        return LatencySketch(
            first: first + lowest,
            counts: kept,
            count: kept.reduce(0) { Self.sum($0, Int($1)) }
        )
    }

    /// The order statistic at ⌈n·p⌉ (type 1 of Hyndman & Fan 1996) of these times and `beyond` more
    /// that are longer than all, within 1 %, in milliseconds; `nil` where it is one of those more,
    /// and without any.
    package func quantile(_ p: Double, beyond: Int = 0) -> Double? {
        let rank = EmpiricalDistribution.rank(p, of: Self.sum(count, max(0, beyond)))
        guard rank >= 1, rank <= count else { return nil }
        var left = rank
        for (position, times) in counts.enumerated() {
            left -= Int(times)
            if left <= 0 { return Self.estimate(first + position) }
        }
        return Self.estimate(first + counts.count - 1)
    }

    /// The buckets that are not empty, ascending: counted were times above `lower` and up to
    /// `upper`, in milliseconds.
    package var buckets: [(lower: Double, upper: Double, count: Int)] {
        var buckets: [(lower: Double, upper: Double, count: Int)] = []
        buckets.reserveCapacity(counts.count)
        forEachBucket { buckets.append(($0, $1, $2)) }
        return buckets
    }

    /// Hands over the same one by one.
    func forEachBucket(_ body: (_ lower: Double, _ upper: Double, _ count: Int) -> Void) {
        for position in counts.indices where counts[position] > 0 {
            let index = first + position
            body(Self.bound(index - 1), Self.bound(index), Int(counts[position]))
        }
    }

    /// How much the times above `limit` add up to beyond it, as far as the buckets tell.
    func excess(over limit: Double) -> Double {
        var excess = 0.0
        for (position, times) in counts.enumerated().reversed() {
            let estimate = Self.estimate(first + position)
            guard estimate > limit else { break }
            excess += (estimate - limit) * Double(times)
        }
        return excess
    }

    /// Makes place for a bucket.
    private mutating func reserve(_ index: Int) {
        if counts.isEmpty {
            first = index
            counts = [0]
        } else if index < first {
            counts.insert(contentsOf: repeatElement(0, count: first - index), at: 0)
            first = index
        } else if index - first >= counts.count {
            counts += repeatElement(0, count: index - first - counts.count + 1)
        }
    }

    private static func index(of milliseconds: Double) -> Int {
        guard milliseconds > 1e-6 else { return indices.lowerBound }
        guard milliseconds < 1e9 else { return indices.upperBound }
        return Int((log(milliseconds) / logGamma).rounded(.up))
    }

    /// 2γ^i / (γ + 1), at most 1 % from every time in the bucket.
    private static func estimate(_ index: Int) -> Double { bound(index) * 0.99 }

    /// γ^i, the longest time that is in bucket i.
    private static func bound(_ index: Int) -> Double {
        let position = index - indices.lowerBound + 1
        return bounds.indices.contains(position)
            ? bounds[position] : exp(Double(index) * logGamma)
    }

    /// Of all buckets, and of the one before: a year's sketches ask for them a million times.
    private static let bounds = ((indices.lowerBound - 1)...indices.upperBound).map {
        exp(Double($0) * logGamma)
    }

    /// The largest number rather than a trap.
    static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }
}
