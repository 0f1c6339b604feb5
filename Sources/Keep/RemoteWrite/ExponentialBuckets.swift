/// The buckets of an exponential histogram of OpenTelemetry.
struct ExponentialBuckets: Hashable {
    /// The largest number of buckets, which is also the default of OpenTelemetry's own clients.
    static let most: Int32 = 160

    /// The bounds of the buckets are powers of 2^(2^−scale).
    let scale: Int32
    /// The index of the first bucket. Bucket k has the times above base^k, up to base^(k + 1).
    let offset: Int32
    let counts: [UInt64]

    /// Halves the resolution of a histogram until all its buckets fit. Bucket i of Prometheus has the times up
    /// to base^i, so that it is bucket i − 1 here.
    init(_ histogram: NativeHistogram) {
        var buckets = histogram.buckets.map { (index: $0.key - 1, count: $0.value) }
        var scale = NativeHistogram.schema
        var range = Self.range(of: buckets.map(\.index))
        while range.count > Self.most {
            buckets = buckets.map { ($0.index >> 1, $0.count) }
            range = Self.range(of: buckets.map(\.index))
            scale -= 1
        }
        var counts = [UInt64](repeating: 0, count: range.count)
        for bucket in buckets { counts[Int(bucket.index - range.lowerBound)] += bucket.count }
        (self.scale, offset, self.counts) = (scale, range.lowerBound, counts)
    }

    private static func range(of indices: [Int32]) -> Range<Int32> {
        guard let low = indices.min(), let high = indices.max() else { return 0..<0 }
        return low..<high + 1
    }
}
