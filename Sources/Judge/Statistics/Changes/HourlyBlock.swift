/// One hour of one resolver: the times of its answers, the number of failed queries, and its cache hits.
package struct HourlyBlock: Hashable, Sendable {
    /// Hours since 1970-01-01T00:00:00Z.
    package let hour: Int
    /// The hour of the week, 0 to 167 from Monday on, by the clock of the weekly cycle. This is the local
    /// time of the resolver's users.
    package let hourOfWeek: Int
    /// The number of queries without a usable answer.
    package let failed: Int
    /// The cache hits and misses of the names that warm-ups asked for; empty if unknown.
    package var warmups = HitShare()
    package let answered: Int
    private let answers: Answers

    /// The times of answers, in milliseconds.
    private enum Answers: Hashable {
        /// Ascending.
        case times([Double])
        /// The times of a bucket are spread evenly over it, so that a median does not jump by a whole bucket.
        case sketch(LatencySketch)
    }

    /// Creates a block from the times of answers in milliseconds, in any order. A time that is not finite
    /// counts as failed.
    package init(hour: Int, hourOfWeek: Int, answers: [Double], failed: Int) {
        let finite = answers.filter(\.isFinite).sorted()
        self.init(
            hour: hour,
            hourOfWeek: hourOfWeek,
            answers: .times(finite),
            answered: finite.count,
            failed: max(0, failed) + answers.count - finite.count
        )
    }

    /// Creates a block from a sketch of the answers.
    package init(hour: Int, hourOfWeek: Int, sketch: LatencySketch, failed: Int) {
        var answered = 0
        sketch.forEachBucket { _, _, count in answered = LatencySketch.sum(answered, count) }
        self.init(
            hour: hour,
            hourOfWeek: hourOfWeek,
            answers: .sketch(sketch),
            answered: answered,
            failed: failed
        )
    }

    private init(hour: Int, hourOfWeek: Int, answers: Answers, answered: Int, failed: Int) {
        self.hour = hour
        self.hourOfWeek = hourOfWeek.hourOfWeek
        self.failed = max(0, failed)
        self.answers = answers
        self.answered = answered
    }

    var hourOfDay: Int { hourOfWeek % 24 }

    package var measured: Int { LatencySketch.sum(answered, failed) }

    /// Returns the `p`-quantile of the answers' times, in milliseconds; `nil` without answers.
    package func quantile(_ p: Double) -> Double? {
        let rank = EmpiricalDistribution.rank(p, of: answered)
        guard rank >= 1, rank <= answered else { return nil }
        switch answers {
        case .times(let times): return times[rank - 1]
        case .sketch(let sketch):
            var (left, found): (Int, Double?) = (rank, nil)
            sketch.forEachBucket { lower, upper, count in
                guard found == nil, left <= count else { return left -= count }
                let part = BucketPart.all(of: count, from: lower, to: upper).first { part in
                    left -= part.count
                    return left <= 0
                }
                found = part?.time
            }
            return found
        }
    }

    package var median: Double? { quantile(0.5) }

    /// Returns the share of the answers above `limit` milliseconds, 0 to 1; 0 without answers.
    package func share(slowerThan limit: Double) -> Double {
        share(of: answered - count { $0 <= limit })
    }

    /// Returns the share of the answers below `limit` milliseconds, 0 to 1; 0 without answers.
    package func share(fasterThan limit: Double) -> Double { share(of: count { $0 < limit }) }

    /// Returns the number of answers whose time fulfils `holds`. If it holds for a time, it must hold for all
    /// shorter times.
    private func count(_ holds: (Double) -> Bool) -> Int {
        switch answers {
        case .times(let times): return times.partitioningIndex { !holds($0) }
        case .sketch(let sketch):
            var found = 0
            sketch.forEachBucket { lower, upper, count in
                if holds(upper) {
                    found = LatencySketch.sum(found, count)
                } else if holds(lower) {
                    for part in BucketPart.all(of: count, from: lower, to: upper)
                    where holds(part.time) { found = LatencySketch.sum(found, part.count) }
                }
            }
            return found
        }
    }

    private func share(of count: Int) -> Double {
        answered > 0 ? Double(count) / Double(answered) : 0
    }
}

/// A part of the answers in a sketch's bucket, with their time in milliseconds.
private struct BucketPart {
    private static let most = 8

    var time: Double
    var count: Int

    static func all(
        of count: Int,
        from lower: Double,
        to upper: Double
    ) -> some Sequence<BucketPart> {
        let parts = min(count, most)
        let (share, rest) = count.quotientAndRemainder(dividingBy: max(1, parts))
        let width = (upper - lower) / Double(parts)
        return (0..<parts).lazy.map { part in
            BucketPart(
                time: lower + (Double(part) + 0.5) * width,
                count: share + (part < rest ? 1 : 0)
            )
        }
    }
}
