import Samples
import Statistics

/// The rows of one series, sorted out by what can be said of them.
struct SeriesSummary {
    /// With a median, the lowest first, those without a rank behind.
    let ranked: [ResolverSummary]
    /// The fastest that do not lose more than most do, those that tie to the shown precision.
    let fastest: [ResolverSummary]
    /// At least as fast as those, but lossy.
    let lossyAndFast: [ResolverSummary]
    /// Those that ``fastest`` are the fastest of, such as `of those with lower packet loss`; `nil`
    /// where they are of all.
    var among: String? {
        lossyAndFast.isEmpty
            ? nil : "of those with \(FailureNoun(of: lossyAndFast.map(\.counts)).less)"
    }
    /// Answered something, but less than half.
    let mostlySilent: [ResolverSummary]
    /// Answered nothing.
    let silent: [ResolverSummary]
    /// No query that says something of speed was sent.
    let unmeasured: [ResolverSummary]
    /// For all medians, so that the words agree with the table.
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

    /// The failures of the row whose rate is in the middle, the lower one of two.
    private static func usualFailures(of rows: [ResolverSummary]) -> FailureCount {
        let counts = rows.map(\.failures).filter { $0.rate != nil }
            .sorted { ($0.rate ?? 0) < ($1.rate ?? 0) }
        return counts.isEmpty ? FailureCount() : counts[(counts.count - 1) / 2]
    }

    private static func shown(_ row: ResolverSummary, in format: LatencyFormat) -> String? {
        row.latency.median.map(format.number)
    }
}
