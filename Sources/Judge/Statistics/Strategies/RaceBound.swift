/// The slowest race that times allow which were not taken at one moment.
///
/// A short fault of the line that all use meets one of such times and not the others, so that a race
/// over them looks faster than it is. Hits are taken to be slow together (comonotone), so that the
/// best distribution at each time counts, and misses to be as they were seen together:
/// S(t) = Σ n_p/n · min over the hits of S_i(t) · P_p(the least of the misses > t), over the patterns p
/// of hits and misses. It holds where resolvers depend on each other no more the further apart they
/// are asked. Where nobody knows of hits and misses it is the best member (Fréchet's bound).
package struct RaceBound: Sendable {
    /// Rows with the same resolvers hit.
    private struct Pattern {
        var share: Double
        var hits: [Int]
        /// The least time of those that missed, ascending; `nil` where all hit.
        var misses: [Double]?
    }

    private let patterns: [Pattern]
    /// The hits of each resolver, ascending.
    private let hits: [[Double]]
    /// Every time that was seen, ascending.
    private let grid: [Double]

    /// Takes rows of times in milliseconds, infinite without an answer, and which of them came from
    /// the cache, as those do of which that is unknown.
    package init(_ rows: [[Double]], hits isHit: [[Bool]]) {
        let resolvers = (rows.first ?? []).indices
        let all = Array(zip(rows, isHit))
        hits = resolvers.map { k in all.filter { $0.1[k] }.map { $0.0[k] }.sorted() }
        patterns = Dictionary(grouping: all) { $0.1 }.map { pattern, rows in
            let missed = resolvers.filter { !pattern[$0] }
            let least = rows.map { row in missed.map { row.0[$0] }.min() ?? .infinity }
            return Pattern(
                share: Double(rows.count) / Double(all.count),
                hits: resolvers.filter { pattern[$0] },
                misses: missed.isEmpty ? nil : least.sorted()
            )
        }
        grid = Set(rows.joined().filter(\.isFinite)).sorted()
    }

    /// The share of look-ups that take longer than `time`.
    func survival(_ time: Double) -> Double {
        let hitSurvivals = hits.map { Self.share(of: $0, above: time) }
        return patterns.reduce(0) { sum, pattern in
            let together = pattern.hits.map { hitSurvivals[$0] }.min() ?? 1
            let missed = pattern.misses.map { Self.share(of: $0, above: time) } ?? 1
            return sum + pattern.share * together * missed
        }
    }

    /// The quantile, in milliseconds, infinite where it lies among those without an answer.
    package func quantile(_ p: Double) -> Double {
        let place = grid.partitioningIndex { survival($0) <= 1 - p + 1e-12 }
        return place < grid.count ? grid[place] : .infinity
    }

    private static func share(of sorted: [Double], above time: Double) -> Double {
        guard !sorted.isEmpty else { return 1 }
        return 1 - Double(sorted.partitioningIndex { $0 > time }) / Double(sorted.count)
    }
}
