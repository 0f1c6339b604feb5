import LibC

/// The distribution of many times in few counts: a DDSketch (Masson, Rim & Lee, VLDB 2019) of times
/// in milliseconds, whose every quantile is within 1 % of the exact one, also after merging.
///
/// Bucket i counts the times in (γ^(i−1), γ^i] with γ = 1.01/0.99. Times below a nanosecond, and
/// above eleven days, count as such.
package struct LatencySketch: Hashable, Sendable {
    package private(set) var count = 0
    /// The bucket that ``counts`` begins with.
    private(set) var first = 0
    /// One bucket after the other; neither the first nor the last is empty. A bucket counts up to
    /// 2³² − 1, for years of rollups are in memory together.
    private(set) var counts: [UInt32] = []

    static let logGamma = log(1.01 / 0.99)
    /// The buckets of 1 ns and of 10⁹ ms.
    static let indices =
        Int((log(1e-6) / logGamma).rounded(.up))...Int((log(1e9) / logGamma).rounded(.up))

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

    /// The sketch without times that were all counted here too.
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

    /// The buckets with times, ascending: above `lower` and up to `upper`, in milliseconds.
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

    /// How many times are at most `limit`, or at most a time that is within 1 % of it.
    func count(atMost limit: Double) -> Int {
        var found = 0
        for (position, times) in counts.enumerated() {
            guard Self.estimate(first + position) <= limit else { break }
            found = Self.sum(found, Int(times))
        }
        return found
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

    /// The bounds of all buckets and of the one before: a year's sketches ask a million times.
    private static let bounds = ((indices.lowerBound - 1)...indices.upperBound).map {
        exp(Double($0) * logGamma)
    }

    /// The largest number rather than a trap.
    static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// The first octet: which form follows.
    private static let form: UInt8 = 1

    /// The last bucket that ``encoded()`` writes, counted from the lowest that there is.
    package static let lastBucket = indices.count - 1
    /// The most octets that ``encoded()`` returns: the form, the first bucket in two, and five for the
    /// 32 bits of each bucket.
    package static let mostOctets = 3 + 5 * indices.count

    /// The counts as octets, the same for the same counts: a form number; the first bucket, as it
    /// stands from the lowest that there is; then each bucket's count, where 0 is followed by how
    /// many buckets more are empty. Numbers have seven bits an octet, the lowest first.
    package func encoded() -> [UInt8] {
        var octets: [UInt8] = []
        octets.reserveCapacity(counts.count + 4)
        octets.append(Self.form)
        guard !counts.isEmpty else { return octets }
        octets.append(variable: first - Self.indices.lowerBound)
        var empty = 0
        for times in counts {
            if times == 0 {
                empty += 1
                continue
            }
            if empty > 0 {
                octets.append(0)
                octets.append(variable: empty - 1)
                empty = 0
            }
            octets.append(variable: Int(times))
        }
        return octets
    }

    /// Reads what ``encoded()`` wrote, and refuses everything else.
    package init(decoding octets: [UInt8]) throws(SketchError) {
        var reader = VariableReader(octets)
        guard reader.octet() == Self.form else { throw SketchError(reason: "its form is unknown") }
        guard !reader.isAtEnd else {
            self.init()
            return
        }
        let offset = try reader.number()
        var index = offset
        let last = Self.indices.count - 1
        guard offset <= last else { throw SketchError(reason: "a bucket is out of range") }
        var counts: [UInt32] = []
        counts.reserveCapacity(octets.count)
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
    /// Adds a number that is not negative, seven bits an octet, the lowest first.
    fileprivate mutating func append(variable number: Int) {
        var rest = number
        while rest > 0x7f {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

/// Takes numbers of seven bits an octet, one after the other.
private struct VariableReader {
    private let octets: [UInt8]
    private var position = 0

    init(_ octets: [UInt8]) { self.octets = octets }

    var isAtEnd: Bool { position == octets.count }

    mutating func octet() -> UInt8? {
        guard !isAtEnd else { return nil }
        defer { position += 1 }
        return octets[position]
    }

    /// The next number in its shortest form, below 2⁶³.
    mutating func number() throws(SketchError) -> Int {
        var value = 0
        for shift in stride(from: 0, through: 56, by: 7) {
            guard let octet = octet() else { throw SketchError(reason: "it is cut short") }
            value |= Int(octet & 0x7f) << shift
            guard octet & 0x80 == 0 else { continue }
            guard octet != 0 || shift == 0 else { break }
            return value
        }
        throw SketchError(reason: "a number is not in its shortest form, or too large")
    }
}

/// Why octets are no sketch.
package struct SketchError: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String

    package var description: String { "not a latency sketch: \(reason)" }
}
