import Samples
import Statistics

/// The rows of one series, grouped by the possible statements.
struct SeriesSummary {
    /// The rows with a median, the lowest first; rows without a rank come last.
    let ranked: [ResolverSummary]
    /// The fastest rows that do not lose more than most. Rows tie if their shown medians are equal.
    let fastest: [ResolverSummary]
    /// The rows that are at least as fast, but lossy.
    let lossyAndFast: [ResolverSummary]
    /// The group of ``fastest``, such as `of those with lower packet loss`; `nil` for all rows.
    var among: String? {
        lossyAndFast.isEmpty
            ? nil : "of those with \(FailureNoun(of: lossyAndFast.map(\.counts)).less)"
    }
    /// The rows with answers to less than half of the queries.
    let mostlySilent: [ResolverSummary]
    /// The rows without an answer.
    let silent: [ResolverSummary]
    /// The rows without a query that counts.
    let unmeasured: [ResolverSummary]
    /// The common format of all medians, so that words and table agree.
    let format: LatencyFormat

    /// `rows` of one series, in any order.
    init(of rows: [ResolverSummary]) {
        let format = LatencyFormat(fitting: rows.compactMap(\.latency.median))
        let ranked = rows.filter { $0.latency.median != nil }
            .sorted(byKey: { ($0.order.group, $0.order.time) }, <)
        let usual = Self.usualFailures(of: ranked)
        let reliable = ranked.filter { !$0.failures.exceeds(usual) }
        let best = reliable.first.map { Self.shown($0, in: format) }
        self.format = format
        self.ranked = ranked
        fastest = reliable.filter { Self.shown($0, in: format) == best }
        let limit = reliable.first?.latency.median ?? -.infinity
        lossyAndFast = ranked.filter { row in
            guard row.failures.exceeds(usual), let median = row.latency.median else {
                return false
            }
            return median <= limit || Self.shown(row, in: format) == best
        }
        let others = rows.filter { $0.latency.median == nil }
        mostlySilent = others.filter { $0.counts.answered > 0 && $0.latency.count > 0 }
        silent = others.filter { $0.counts.answered == 0 && $0.latency.count > 0 }
        unmeasured = others.filter { $0.latency.count == 0 }
    }

    /// The failures of the row with the median rate; the lower of two.
    private static func usualFailures(of rows: [ResolverSummary]) -> FailureCount {
        let counts = rows.map(\.failures).filter { $0.rate != nil }
            .sorted { ($0.rate ?? 0) < ($1.rate ?? 0) }
        return counts.isEmpty ? FailureCount() : counts[(counts.count - 1) / 2]
    }

    private static func shown(_ row: ResolverSummary, in format: LatencyFormat) -> String? {
        row.latency.median.map(format.number)
    }
}
