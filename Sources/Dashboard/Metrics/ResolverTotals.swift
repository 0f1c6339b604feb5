import Samples
import Statistics
import Store

/// Everything that was ever asked of each resolver, added up from the hourly sums.
struct ResolverTotals {
    /// What a resolver's metrics say.
    struct Total {
        var target: Recording.Target
        var counts: OutcomeCounts
        var durations: DurationHistogram
        /// Answers that may be anybody's, since no certificate was verified.
        var unverified: Int
    }

    private var counts: [Recording.Target: OutcomeCounts] = [:]
    private var unverified: [Recording.Target: Int] = [:]
    private var latencies: [Recording.Target: [Duration: LatencyTally]] = [:]

    /// Adds an hour.
    mutating func add(_ rollup: HourlySum) {
        counts[rollup.target, default: OutcomeCounts()].merge(rollup.counts)
        unverified[rollup.target, default: 0] += rollup.connections.unverified
        latencies[rollup.target, default: [:]][rollup.timeout, default: LatencyTally()]
            .merge(rollup.latency)
    }

    /// In the order of their labels.
    var totals: [Total] {
        counts.map { target, counts in
            var durations = DurationHistogram()
            let latencies = latencies[target, default: [:]].sorted { $0.key < $1.key }
            for (timeout, latency) in latencies {
                durations.add(latency, timeout: timeout / .milliseconds(1))
            }
            return Total(
                target: target,
                counts: counts,
                durations: durations,
                unverified: unverified[target, default: 0]
            )
        }
        .sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

extension ResolverTotals.Total {
    fileprivate var order: [String] {
        [target.label, target.transport, target.series.description, target.endpoint]
    }
}
