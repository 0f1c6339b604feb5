import Reports
package import Samples
package import Statistics

/// The figures of a local or central store, for Prometheus.
///
/// The counters cover the whole life of the store. They come from the hourly sums, which pruning keeps, so a
/// counter falls only if the store itself is replaced. Samples from runs and from watching count, as in a
/// report. Rounds in which no resolver was reachable or the machine slept do not count. Only an objective
/// covers the last days, because it applies to a window. If several places measured, each has its own figures
/// with the label `vantage`.
package enum Metrics {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package static func text(
        of history: some SumSource,
        version: String,
        objective: (kept: ServiceObjective, now: Timestamp)? = nil
    ) throws -> String {
        let origins: Set<Run.Origin> = [.sample, .watch]
        var totals: [ResolverTotal.Key: ResolverTotal] = [:]
        try history.forEachSum(since: nil, origins: origins) { sum in
            let key = ResolverTotal.Key(sum)
            totals[key, default: ResolverTotal(key: key)].add(sum)
        }
        if let objective {
            let days = Duration.seconds(MetricFamily.objectiveDays * 86_400)
            let since = objective.now.advanced(by: .zero - days)
            try history.forEachSum(since: since, origins: origins) { sum in
                guard sum.hour <= objective.now else { return }
                totals[ResolverTotal.Key(sum)]?.kept += sum.latency.count(within: objective.kept)
            }
        }
        var resolvers = totals.values.sorted { $0.order.lexicographicallyPrecedes($1.order) }
        // With a single place, its name would be redundant on every line.
        if Set(totals.keys.map(\.vantage)).count == 1 {
            for index in resolvers.indices { resolvers[index].key.vantage = nil }
        }
        var text = ExpositionText()
        text.add(.build, [([("version", version)], 1)])
        if let last = try history.lastQuery(origins: origins) {
            text.add(.lastQuery, [([], Double(last.nanoseconds) * 1e-9)])
        }
        text.addCounters(of: resolvers)
        text.addDurations(of: resolvers)
        if let objective { text.add(objective.kept, of: resolvers) }
        return text.text
    }
}

extension ExpositionText {
    fileprivate mutating func addCounters(of resolvers: [ResolverTotal]) {
        add(
            .queries,
            resolvers.flatMap { resolver in
                resolver.outcomes.map { outcome, count in
                    (resolver.labels + [("outcome", outcome.description)], count)
                }
            }
        )
        add(
            .failedResponses,
            resolvers.flatMap { resolver in
                resolver.counts.responseCodes.sorted { $0.key < $1.key }.map { code, count in
                    (resolver.labels + [("rcode", code)], count)
                }
            }
        )
        add(
            .unverifiedAnswers,
            resolvers.filter { $0.unverified > 0 }.map { ($0.labels, $0.unverified) }
        )
    }

    /// Adds a family with its figures. Adds nothing if there are no figures.
    fileprivate mutating func add<Figure: Numeric>(
        _ family: MetricFamily,
        _ figures: [(Labels, Figure)]
    ) {
        guard !figures.isEmpty else { return }
        begin(family)
        for (labels, figure) in figures { add(family.name, labels, figure) }
    }

    fileprivate mutating func add(
        _ objective: ServiceObjective,
        of resolvers: [ResolverTotal]
    ) {
        let label: Labels = [("objective", objective.description)]
        add(.objectiveTarget, [(label, objective.target)])
        let shares = resolvers.compactMap { resolver in
            resolver.kept.share.map { (resolver.labels + label, $0) }
        }
        add(.objectiveShare, shares)
    }

    fileprivate mutating func addDurations(of resolvers: [ResolverTotal]) {
        guard !resolvers.isEmpty else { return }
        let name = MetricFamily.queryDuration.name
        begin(.queryDuration)
        for resolver in resolvers {
            let (labels, durations) = (resolver.labels, resolver.durations)
            for (bound, count) in zip(DurationHistogram.labels, durations.cumulative) {
                add(name + "_bucket", labels + [("le", bound)], count)
            }
            add(name + "_bucket", labels + [("le", "+Inf")], durations.total)
            add(name + "_sum", labels, durations.sum)
            add(name + "_count", labels, durations.total)
        }
    }
}

/// All queries to a resolver, added up from the hourly sums.
private struct ResolverTotal {
    struct Key: Hashable {
        /// The resolver under the name that the place uses.
        let target: Recording.Target
        /// The place that measured. `nil` if there is only one place.
        var vantage: String?

        init(_ sum: HourlySum) {
            target = sum.target.unnamed(at: sum.vantage)
            vantage = sum.vantage
        }
    }

    var key: Key
    var counts = OutcomeCounts()
    /// Answers of uncertain origin, because no certificate was verified.
    var unverified = 0
    var latencies: [Duration: LatencyTally] = [:]
    /// Queries of the last days that count for an objective.
    var kept = ObjectiveCount()

    mutating func add(_ sum: HourlySum) {
        counts.merge(sum.counts)
        unverified += sum.connections.unverified
        latencies[sum.timeout, default: LatencyTally()].merge(sum.latency)
    }

    var durations: DurationHistogram {
        latencies.sorted { $0.key < $1.key }.reduce(into: DurationHistogram()) { all, part in
            all.add(part.value, timeout: part.key / .milliseconds(1))
        }
    }

    private var target: Recording.Target { key.target }

    var labels: ExpositionText.Labels {
        target.metricLabels + (key.vantage.map { [("vantage", $0)] } ?? [])
    }

    var order: [String] {
        [target.label, target.transport.description, target.series.description, target.endpoint]
            + [key.vantage ?? ""]
    }

    var outcomes: [(Outcome, Int)] { Outcome.allCases.map { ($0, counts[$0]) } }
}
