import LibC

/// The distribution of many times, as a few counts: a DDSketch (Masson, Rim & Lee, VLDB 2019).
///
/// Times are in milliseconds. Every quantile is within 1 % of the exact one, also after merging.
///
/// Bucket i counts the times in (γ^(i−1), γ^i] with γ = 1.01/0.99. Times below one nanosecond count in the
/// first bucket, times above eleven days in the last.
package struct LatencySketch: Hashable, Sendable {
    package private(set) var count = 0
    /// The index of the first bucket in ``counts``.
    private(set) var first = 0
    /// The counts of consecutive buckets. Neither the first nor the last is zero.
    ///
    /// Each count is at most 2³² − 1. The 32 bits save memory, because rollups of years are in memory
    /// together.
    private(set) var counts: [UInt32] = []

    static let logGamma = log(1.01 / 0.99)
    /// The indices from the bucket of 1 ns to the bucket of 10⁹ ms.
    static let indices =
        Int((log(1e-6) / logGamma).rounded(.up))...Int((log(1e9) / logGamma).rounded(.up))

    package init() {}

    /// Creates a sketch of these buckets. `counts` neither begins nor ends with 0, and adds up to `count`.
    init(first: Int, counts: [UInt32], count: Int) {
        self.first = first
        self.counts = counts
        self.count = count
    }

    /// Counts one more time. NaN is ignored.
    package mutating func insert(_ milliseconds: Double) {
        guard !milliseconds.isNaN else { return }
        let index = Self.index(of: milliseconds)
        reserve(index)
        if counts[index - first] < .max { counts[index - first] += 1 }
        count = Self.sum(count, 1)
    }

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

    /// Returns the sketch without the times of `other`, which must all be counted in this sketch too.
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
        let count = kept.reduce(0) { Self.sum($0, Int($1)) }
        return LatencySketch(first: first + lowest, counts: kept, count: count)
    }

    /// Returns the order statistic at ⌈n·p⌉ (type 1 of Hyndman & Fan 1996), within 1 %, in milliseconds.
    ///
    /// The sample consists of these times and of `beyond` more times that are longer than all. `nil` if the
    /// order statistic is one of the longer times, and without times.
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

    /// The buckets that contain times, ascending. A bucket contains times above `lower` and up to `upper`, in
    /// milliseconds.
    package var buckets: [(lower: Double, upper: Double, count: Int)] {
        var buckets: [(lower: Double, upper: Double, count: Int)] = []
        buckets.reserveCapacity(counts.count)
        forEachBucket { buckets.append(($0, $1, $2)) }
        return buckets
    }

    /// Calls `body` for each bucket of ``buckets``.
    func forEachBucket(_ body: (_ lower: Double, _ upper: Double, _ count: Int) -> Void) {
        for position in counts.indices where counts[position] > 0 {
            let index = first + position
            body(Self.bound(index - 1), Self.bound(index), Int(counts[position]))
        }
    }

    /// Returns the number of times up to `limit`. The limit is accurate to 1 %.
    func count(atMost limit: Double) -> Int {
        var found = 0
        for (position, times) in counts.enumerated() {
            guard Self.estimate(first + position) <= limit else { break }
            found = Self.sum(found, Int(times))
        }
        return found
    }

    /// Returns the sum of the excess of all times above `limit`, to the accuracy of the buckets.
    func excess(over limit: Double) -> Double {
        var excess = 0.0
        for (position, times) in counts.enumerated().reversed() {
            let estimate = Self.estimate(first + position)
            guard estimate > limit else { break }
            excess += (estimate - limit) * Double(times)
        }
        return excess
    }

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

    /// 2γ^i / (γ + 1). It differs by at most 1 % from every time in the bucket.
    private static func estimate(_ index: Int) -> Double { bound(index) * 0.99 }

    /// γ^i, the longest time in bucket i.
    private static func bound(_ index: Int) -> Double {
        let position = index - indices.lowerBound + 1
        return bounds.indices.contains(position)
            ? bounds[position] : exp(Double(index) * logGamma)
    }

    /// The bounds of all buckets, and of the bucket before the first. They are computed once, because the
    /// sketches of a year need a million of them.
    private static let bounds = ((indices.lowerBound - 1)...indices.upperBound).map {
        exp(Double($0) * logGamma)
    }

    /// Returns the sum, or the largest integer on overflow.
    static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// The first byte, which identifies the format.
    private static let form: UInt8 = 1

    /// The last bucket that ``encoded()`` writes, relative to the lowest possible bucket.
    package static let lastBucket = indices.count - 1
    /// The maximum number of bytes that ``encoded()`` returns: one for the format, two for the first bucket,
    /// and five for the 32 bits of each bucket.
    package static let mostBytes = 3 + 5 * indices.count

    /// Returns the counts as bytes. Equal counts have equal bytes.
    ///
    /// The bytes contain a format number, the first bucket relative to the lowest possible bucket, and the
    /// count of each bucket. A count of 0 is followed by the number of further empty buckets. Numbers have
    /// seven bits per byte, the lowest bits first.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(counts.count + 4)
        bytes.append(Self.form)
        guard !counts.isEmpty else { return bytes }
        bytes.append(variable: first - Self.indices.lowerBound)
        var empty = 0
        for times in counts {
            if times == 0 {
                empty += 1
                continue
            }
            if empty > 0 {
                bytes.append(0)
                bytes.append(variable: empty - 1)
                empty = 0
            }
            bytes.append(variable: Int(times))
        }
        return bytes
    }

    /// Decodes the bytes of ``encoded()``. Throws for all other bytes.
    package init(decoding bytes: [UInt8]) throws(SketchError) {
        var reader = VariableReader(bytes)
        guard reader.byte() == Self.form else { throw SketchError(reason: "its form is unknown") }
        guard !reader.isAtEnd else {
            self.init()
            return
        }
        let offset = try reader.number()
        var index = offset
        let last = Self.indices.count - 1
        guard offset <= last else { throw SketchError(reason: "a bucket is out of range") }
        var counts: [UInt32] = []
        counts.reserveCapacity(bytes.count)
        var sum = 0
        while !reader.isAtEnd {
            let times = try reader.number()
            let buckets = times == 0 ? try reader.number() : 0
            guard index <= last, buckets < last - index || times > 0 else {
                throw SketchError(reason: "a bucket is out of range")
            }
            index += buckets + 1
            counts += repeatElement(0, count: buckets)
            guard let short = UInt32(exactly: times) else {
                throw SketchError(reason: "it counts too much")
            }
            counts.append(short)
            sum += times
        }
        guard counts.first != 0, counts.last != 0, !counts.isEmpty else {
            throw SketchError(reason: "it begins or ends with an empty bucket")
        }
        self.init(first: Self.indices.lowerBound + offset, counts: counts, count: sum)
    }
}

extension [UInt8] {
    /// Appends a number that is not negative, with seven bits per byte, the lowest bits first.
    fileprivate mutating func append(variable number: Int) {
        var rest = number
        while rest > 0x7f {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

/// Reads consecutive numbers with seven bits per byte.
private struct VariableReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads the next number. It must be in its shortest form and below 2⁶³.
    mutating func number() throws(SketchError) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 56, by: 7) {
            guard let byte = byte() else { throw SketchError(reason: "it is cut short") }
            value |= Int(byte & 0x7f) << shift
            guard byte & 0x80 == 0 else { continue }
            guard byte != 0 || shift == 0 else { break }
            return value
        }
        throw SketchError(reason: "a number is not in its shortest form, or too large")
    }
}

/// The reason why bytes are not a sketch.
package struct SketchError: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String

    package var description: String { "not a latency sketch: \(reason)" }
}
