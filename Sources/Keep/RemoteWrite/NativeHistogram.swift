import LibC

/// A native histogram of Prometheus: times in seconds, counted in buckets whose bounds are powers of
/// 2^(1/32) (schema 5), so that a quantile from them is within 2.2 % of the exact one, the width of a
/// bucket.
struct NativeHistogram: Hashable, Sendable {
    static let schema: Int32 = 5
    private static let bucketsPerOctave: Int32 = 1 << schema
    /// The bucket of what is longer than every finite time.
    static let overflow: Int32 = 1024 * bucketsPerOctave + 1
    /// Up to here a time is none, as in Prometheus' own clients.
    private static let zeroThreshold = 0x1p-128

    /// By their index: bucket i has the times above 2^((i−1)/32) and up to 2^(i/32).
    private(set) var buckets: [Int32: UInt64] = [:]
    private(set) var zeros: UInt64 = 0
    private(set) var sum = 0.0

    var count: UInt64 { buckets.values.reduce(zeros, +) }

    /// Counts a time, or one beyond every bucket where it took longer than `timeout`; both in
    /// seconds, of which the sum has no more than the timeout.
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
        // Between 1 and 2, where a logarithm has all its digits.
        return octave + Int32((log2(time.significand) * Double(bucketsPerOctave)).rounded(.up))
    }

    /// The message of it at a time, in milliseconds since 1970.
    func message(at time: Int64) -> Histogram {
        var message = Histogram(
            count: count,
            sum: sum,
            schema: Self.schema,
            zeroThreshold: Self.zeroThreshold,
            zeroCount: zeros,
            timestamp: time
        )
        // The first span counts from bucket 0, each other one from the end of the one before.
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
