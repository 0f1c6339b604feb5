/// One hour of one resolver: the times of its answers, how many queries had none, and what it had in
/// its cache.
package struct HourlyBlock: Hashable, Sendable {
    /// Hours since 1970-01-01T00:00:00Z.
    package let hour: Int
    /// 0 to 167 from Monday on, on the clock that the weekly course follows, which is the resolver's
    /// users'.
    package let hourOfWeek: Int
    /// Queries without an answer that could be used.
    package let lost: Int
    /// Of the names that warm-ups asked for; none where that is not known.
    package var warmups = HitShare()
    /// Answers by time: `times` ascending, in milliseconds, and how many are not slower than each.
    private let times: [Double]
    private let counts: [Int]

    /// Takes the answers' times in milliseconds, in any order; what is not finite is lost.
    package init(hour: Int, hourOfWeek: Int, answers: [Double], lost: Int) {
        let finite = answers.filter(\.isFinite).sorted()
        self.init(
            hour: hour,
            hourOfWeek: hourOfWeek,
            times: finite,
            counts: finite.indices.map { $0 + 1 },
            lost: max(0, lost) + answers.count - finite.count
        )
    }

    /// Takes the answers from their sketch: those of a bucket lie evenly in it, so that a median
    /// does not jump by a whole one.
    package init(hour: Int, hourOfWeek: Int, sketch: LatencySketch, lost: Int) {
        var total = 0
        var times: [Double] = []
        var counts: [Int] = []
        // A year has thousands of hours, and most answers of one lie in few buckets.
        times.reserveCapacity(min(sketch.count, 256))
        counts.reserveCapacity(min(sketch.count, 256))
        sketch.forEachBucket { lower, upper, count in
            let parts = min(count, Self.finest)
            let (share, rest) = count.quotientAndRemainder(dividingBy: parts)
            let width = (upper - lower) / Double(parts)
            for part in 0..<parts {
                total = LatencySketch.sum(total, share + (part < rest ? 1 : 0))
                times.append(lower + (Double(part) + 0.5) * width)
                counts.append(total)
            }
        }
        self.init(hour: hour, hourOfWeek: hourOfWeek, times: times, counts: counts, lost: lost)
    }

    private static let finest = 8

    private init(hour: Int, hourOfWeek: Int, times: [Double], counts: [Int], lost: Int) {
        self.hour = hour
        self.hourOfWeek = ((hourOfWeek % 168) + 168) % 168
        self.lost = max(0, lost)
        self.times = times
        self.counts = counts
    }

    var hourOfDay: Int { hourOfWeek % 24 }

    package var answered: Int { counts.last ?? 0 }

    package var measured: Int { LatencySketch.sum(answered, lost) }

    /// The `p`-quantile of the answers' times, in milliseconds; `nil` without any.
    package func quantile(_ p: Double) -> Double? {
        let rank = EmpiricalDistribution.rank(p, of: answered)
        guard rank >= 1, rank <= answered else { return nil }
        return times[counts.partitioningIndex { $0 >= rank }]
    }

    package var median: Double? { quantile(0.5) }

    /// The share of the answers above `limit` milliseconds, 0 to 1; 0 without any.
    package func share(slowerThan limit: Double) -> Double {
        let index = times.partitioningIndex { $0 > limit }
        return share(of: answered - (index > 0 ? counts[index - 1] : 0))
    }

    /// The share of the answers below `limit` milliseconds, 0 to 1; 0 without any.
    package func share(fasterThan limit: Double) -> Double {
        let index = times.partitioningIndex { $0 >= limit }
        return share(of: index > 0 ? counts[index - 1] : 0)
    }

    private func share(of count: Int) -> Double {
        answered > 0 ? Double(count) / Double(answered) : 0
    }
}
