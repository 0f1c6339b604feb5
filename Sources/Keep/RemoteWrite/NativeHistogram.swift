import LibC

/// A native histogram of Prometheus, with times in seconds. The bucket bounds are powers of 2^(1/32) (schema
/// 5). A quantile from the buckets differs from the exact quantile by at most 2.2 %, the width of a bucket.
struct NativeHistogram: Hashable, Sendable {
    static let schema: Int32 = 5
    private static let bucketsPerOctave: Int32 = 1 << schema
    /// The bucket for infinity, above every finite time.
    static let overflow: Int32 = 1024 * bucketsPerOctave + 1
    /// The maximum time that counts as zero, as in Prometheus' own clients.
    private static let zeroThreshold = 0x1p-128

    /// The counts by bucket index. Bucket i contains the times above 2^((i−1)/32), up to 2^(i/32).
    private(set) var buckets: [Int32: UInt64] = [:]
    private(set) var zeros: UInt64 = 0
    private(set) var sum = 0.0

    var count: UInt64 { buckets.values.reduce(zeros, +) }

    /// Counts a time in seconds. A time above `timeout` counts in the overflow bucket, and adds only
    /// `timeout` to the sum.
    mutating func add(_ time: Double, timeout: Double) {
        sum += min(time, timeout)
        if time <= Self.zeroThreshold {
            zeros += 1
        } else {
            buckets[time <= timeout ? Self.index(of: time) : Self.overflow, default: 0] += 1
        }
    }

    static func index(of time: Double) -> Int32 {
        guard time.isFinite else { return overflow }
        let octave = Int32(time.exponent) * bucketsPerOctave
        // The significand lies between 1 and 2, where a logarithm has full precision.
        return octave + Int32((log2(time.significand) * Double(bucketsPerOctave)).rounded(.up))
    }

    /// The encoded histogram at a time, in milliseconds since 1970.
    func message(at time: Int64) -> Histogram {
        var message = Histogram(
            count: count,
            sum: sum,
            schema: Self.schema,
            zeroThreshold: Self.zeroThreshold,
            zeroCount: zeros,
            timestamp: time
        )
        // The first span's offset counts from bucket 0. Each other offset counts from the end of the previous
        // span.
        var next: Int32 = 0
        var last: Int64 = 0
        for (index, count) in buckets.sorted(by: { $0.key < $1.key }) {
            if message.positiveSpans.isEmpty || index != next {
                message.positiveSpans.append(.init(offset: index - next))
            }
            message.positiveSpans[message.positiveSpans.count - 1].length += 1
            message.positiveDeltas.append(Int64(clamping: count) - last)
            (next, last) = (index + 1, Int64(clamping: count))
        }
        return message
    }
}
