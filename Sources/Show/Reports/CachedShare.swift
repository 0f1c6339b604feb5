import Analysis
import Samples
import Statistics

/// The share of a list of names that was in a resolver's cache, in words and figures.
extension HitShare {
    /// Texts such as `85 %` and `82 to 88 %`: the share, and its confidence interval. If some names
    /// are neither hits nor misses, the share is a range. Its lower end counts these names as
    /// misses, its upper end as hits.
    var words: (share: String, interval: String) {
        let (bounds, interval) = (bounds, interval())
        func text(_ range: ClosedRange<Double>) -> String {
            let ends = [range.lowerBound, range.upperBound].map { ($0 * 100).fixed(0) }
            return ends[0] == ends[1] ? "\(ends[0]) %" : "\(ends[0]) to \(ends[1]) %"
        }
        return (text(bounds), text(interval))
    }
}

extension ResolverColumns where Row == ResolverSummary {
    /// The share of names in each resolver's cache, and the times of cache hits and misses. The
    /// table is empty unless the series is as-found.
    var caches: Table {
        let known = ResolverColumns(rows: rows.filter { ($0.found?.share.count ?? 0) > 0 })
        guard !known.rows.isEmpty else { return Table([]) }
        let shares = known.figures("in cache") { row in
            let share = row.found?.share ?? HitShare()
            guard !share.isUnknown else { return Table.Cell("unknown", key: -1) }
            let (text, interval) = share.words
            return Table.Cell(text, key: share.bounds.lowerBound, note: interval)
        }
        var table = Table([
            Table.Column("cache", known.rows.map { Table.Cell($0.name) }, .heading),
            known.time("mean", { $0.found?.mean }), shares,
            known.time("a hit", drop: 1, { $0.found?.hit }),
            known.time("a miss", drop: 1, { $0.found?.miss }),
        ])
        table.caption =
            "Share of the names that were in the cache, and the median times of hits and misses."
        return table
    }
}

extension ResolverSummary {
    /// Fields of cache hits and misses among the names of a list, for programs.
    static let cacheFields: [Field<ResolverSummary>] =
        ([
            .count("hits", "Names that were in the cache.") { $0.share.hits },
            .count("misses", "Names that were not in the cache.") { $0.share.misses },
            .count("unknown", "Names of which neither is known.") { $0.share.unknown },
        ]
        + Field<FoundNames>.interval(
            "hit_share_ci",
            unit: .share,
            "95 % interval of the share of names that were in the cache."
        ) { JSONValue.rates($0.share.interval()) }
        + [
            .time("hit_median_ms", null: "there is no hit", "Median round trip of cache hits.") {
                $0.hit
            },
            .time("miss_median_ms", null: "there is no miss", "Median round trip of cache misses.")
            {
                $0.miss
            },
            .time(
                "found_mean_ms",
                null: "no query was answered",
                "Mean round trip of the answers, each at most 1 s."
            ) { $0.mean },
        ]).of(when: "the series is `as-found`") { $0.found }
}
