/// The slowest possible race, from times that were not measured at the same moment.
///
/// A short fault of the shared line affects only some of these times, so a race over them looks faster than
/// it is. The bound assumes that hits are slow at the same time (comonotone), so the best distribution at
/// each time counts. Misses are taken as they were observed together:
/// S(t) = Σ n_p/n · min over the hits of S_i(t) · P_p(the least of the misses > t), over the patterns p of
/// hits and misses.
///
/// The bound holds if the dependence between resolvers does not grow with the time between their queries. If
/// hits and misses are unknown, it is the best member (Fréchet's bound).
package struct RaceBound: Sendable {
    /// Rows in which the same resolvers hit.
    private struct Pattern {
        var share: Double
        var hits: [Int]
        /// The minimum time of the resolvers that missed, per row, ascending; `nil` if all hit.
        var misses: [Double]?
    }

    private let patterns: [Pattern]
    /// The times of each resolver's hits, ascending.
    private let hits: [[Double]]
    /// All distinct times, ascending.
    private let grid: [Double]

    /// Creates the bound from rows of times in milliseconds, infinite without an answer. `isHit` is true for
    /// times from the cache, and for unknown ones.
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

    /// Returns the share of look-ups that take longer than `time`.
    func survival(_ time: Double) -> Double {
        let hitSurvivals = hits.map { Self.share(of: $0, above: time) }
        return patterns.reduce(0) { sum, pattern in
            let together = pattern.hits.map { hitSurvivals[$0] }.min() ?? 1
            let missed = pattern.misses.map { Self.share(of: $0, above: time) } ?? 1
            return sum + pattern.share * together * missed
        }
    }

    /// Returns the quantile in milliseconds; infinite if it is a time without an answer.
    package func quantile(_ p: Double) -> Double {
        let place = grid.partitioningIndex { survival($0) <= 1 - p + 1e-12 }
        return place < grid.count ? grid[place] : .infinity
    }

    private static func share(of sorted: [Double], above time: Double) -> Double {
        guard !sorted.isEmpty else { return 1 }
        return 1 - Double(sorted.partitioningIndex { $0 > time }) / Double(sorted.count)
    }
}
