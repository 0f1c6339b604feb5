import Analysis
import Samples
import Statistics

extension Caveat {
    /// Fewest queries for a two-sided 95 % interval of a quantile (order statistics; David &
    /// Nagaraja, Order Statistics, §7.1).
    static let queriesForP95 = 72
    static let queriesForP99 = 368

    /// Caveats that hold of a run, the gravest first.
    static func all(
        of quality: RunDiagnostics,
        suspicions: Suspicions,
        names: [String],
        rows: [ResolverSummary],
        evidence: [SeriesEvidence],
        rounds: Int,
        context: ReportContext
    ) -> [Caveat] {
        var caveats: [Caveat] = []
        if context.isInterrupted {
            caveats.append(.interrupted(rounds: rounds, of: max(context.plan.rounds, rounds)))
        }
        caveats += [Verification(of: rows).caveat].compactMap(\.self) + reopened(rows)
        if quality.offlineRounds > 0 {
            caveats.append(.offlineRounds(count: quality.offlineRounds, of: quality.rounds))
        }
        if quality.outageRounds > 0 {
            caveats.append(.outageRounds(count: quality.outageRounds, of: quality.rounds))
        }
        if quality.sleptRounds > 0 {
            caveats.append(.sleptRounds(count: quality.sleptRounds, of: quality.rounds))
        }
        if let changes = context.networkChanges, changes > 0 {
            caveats.append(.networkChanged(count: changes))
        }
        caveats += unreached(quality, names: names, rows: rows)
        let blocked = rows.reduce(0) { $0 + $1.counts.blocked }
        if blocked > 0 { caveats.append(.blocked(count: blocked)) }
        if Series.allCases.contains(where: { isUntested($0, rows: rows, evidence: evidence) }) {
            caveats.append(.untestedDifference)
        }
        let unchecked = unchecked(evidence, names: names, context: context)
        if !unchecked.isEmpty { caveats.append(.unchecked(resolvers: unchecked)) }
        if let runs = context.runsToday, runs > 1 { caveats.append(.severalRuns(count: runs)) }
        caveats += correlations(evidence, names: names)
        caveats += conditions(suspicions, names: names, context: context)
        caveats += fewSamples(rows: rows, rounds: rounds)
        if quality.late > 0 {
            let greatest = Double(quality.greatestLateness) * 1e-6
            caveats.append(.lateSends(count: quality.late, of: quality.sent, greatest: greatest))
        }
        // One in a hundred changes no quantile that is shown.
        if quality.userClock > quality.timed / 100 {
            caveats.append(.userClock(count: quality.userClock, of: quality.timed))
        }
        caveats += instrument(quality, context)
        if quality.strays > 0 { caveats.append(.strayAnswers(count: quality.strays)) }
        let filtered = rows.reduce(0) { $0 + $1.counts.filtered }
        if filtered > 0 { caveats.append(.filtered(count: filtered)) }
        return caveats
    }

    /// Resolvers that some queries could not reach, with the reason that most of them have.
    private static func unreached(
        _ quality: RunDiagnostics,
        names: [String],
        rows: [ResolverSummary]
    ) -> [Caveat] {
        var reasons: [String: [String: Int]] = [:]
        for (target, counts) in quality.unreached where names.indices.contains(target) {
            reasons[names[target], default: [:]].merge(counts, uniquingKeysWith: +)
        }
        let all = Dictionary(grouping: rows) { $0.said }
        return reasons.sorted { $0.key < $1.key }.map { name, counts in
            let main = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            let queries = (all[name] ?? [])
                .reduce(0) { $0 + $1.counts.measured }
            let count = counts.values.reduce(0, +)
            return .unreached(
                resolver: name,
                count: count,
                of: max(queries, count),
                reason: main.isEmpty ? "the network said so" : EscapedText.terminal(main)
            )
        }
    }

    /// Where more than one in ten answers came on a connection that was to stand already.
    private static func reopened(_ rows: [ResolverSummary]) -> [Caveat] {
        let kept = rows.filter { $0.target.series != .first }.compactMap(\.connections?.uses)
        let all = kept.reduce(0) { $0 + $1.values.reduce(0, +) }
        // Without a warm-up the first query of each opens its connection.
        let count = kept.reduce(0) { $0 + max(0, ($1[.new] ?? 0) - 1) }
        return 10 * count > all ? [.reopened(count: count, of: all)] : []
    }

    /// Fewer readings during a run say nothing of it.
    private static let readingsDuring = 5

    private static func instrument(_ quality: RunDiagnostics, _ context: ReportContext) -> [Caveat]
    {
        let during = context.instrumentDuring.flatMap { check in
            check.roundTrips.count < readingsDuring ? nil : check
        }
        // Of the two checks the worse.
        let faults = [context.instrument, during].compactMap(\.self).flatMap(\.faults)
        var slowest: Int64 = 0
        var latest: Int64 = 0
        for fault in faults {
            switch fault {
            case .slow(let time): slowest = max(slowest, time)
            case .late(let time): latest = max(latest, time)
            // What they did to the times is told of those.
            case .clock, .clockStep: break
            }
        }
        var caveats: [Caveat] = []
        if slowest > 0 { caveats.append(.slowInstrument(Double(slowest) * 1e-6)) }
        if latest > 0 { caveats.append(.lateWaking(Double(latest) * 1e-6)) }
        // The pace is an average over a block, whose queries may meet those of the next.
        if let pace = context.plan.pace, Double(quality.rate.mostToOne) > 2 * pace.rate + 1 {
            caveats.append(.bursts(most: quality.rate.mostToOne, allowed: pace.rate))
        }
        return caveats
    }

    /// Whether medians of a series stand beside each other and none was held against another.
    private static func isUntested(
        _ series: Series,
        rows: [ResolverSummary],
        evidence: [SeriesEvidence]
    ) -> Bool {
        rows.filter { $0.target.series == series && $0.latency.median != nil }.count > 1
            && evidence.first { $0.series == series }?.isTested != true
    }

    /// Those to switch to that were to be checked and could not be.
    private static func unchecked(
        _ evidence: [SeriesEvidence],
        names: [String],
        context: ReportContext
    ) -> [String] {
        let advised = Set(
            evidence.flatMap(\.candidates).filter { $0.comparison.verdict == .switch }
                .map(\.target)
        )
        var seen: Set<String> = []
        return advised.sorted().map { names[$0] }
            .filter { context.unchecked.contains($0) && seen.insert($0).inserted }
    }

    private static func correlations(_ evidence: [SeriesEvidence], names: [String]) -> [Caveat] {
        evidence.flatMap { series in
            series.candidates.compactMap { candidate in
                guard let correlation = candidate.comparison.autocorrelation,
                    correlation.isNotable, let baseline = series.baseline
                else { return nil }
                return .autocorrelation(
                    baseline: names[baseline],
                    candidate: names[candidate.target],
                    coefficient: correlation.coefficient
                )
            }
        }
    }

    private static func conditions(
        _ suspicions: Suspicions,
        names: [String],
        context: ReportContext
    ) -> [Caveat] {
        var caveats: [Caveat] = []
        if suspicions.clockSteps > 0 || context.clockStep != nil {
            caveats.append(.clockStep(count: suspicions.clockSteps))
        }
        // What expires during a run is looked up anew: one in twenty is no cold cache.
        if 20 * suspicions.misses > suspicions.knownStates {
            caveats.append(.coldCache(count: suspicions.misses, of: suspicions.knownStates))
        }
        caveats += suspicions.limited.sorted { $0.key < $1.key }.map {
            .rateLimited(resolver: names[$0.key], after: $0.value)
        }
        caveats += suspicions.sites.sorted { $0.key < $1.key }.compactMap { target, sites in
            names.indices.contains(target)
                ? .siteChanged(resolver: names[target], sites: sites) : nil
        }
        caveats += suspicions.sharedCaches.map { pair in
            .sharedCache(resolvers: pair.map { names[$0] })
        }
        return caveats
    }

    /// For p95 and p99, where a row has some queries but too few.
    private static func fewSamples(rows: [ResolverSummary], rounds: Int) -> [Caveat] {
        guard let fewest = rows.map(\.latency.count).filter({ $0 > 0 }).min(), rounds > 0 else {
            return []
        }
        return [("p95", queriesForP95), ("p99", queriesForP99)]
            .filter { fewest < $0.1 }
            .map { quantile, needed in
                // As many queries a round as there were in this run.
                let enough = (Double(needed) * Double(rounds) / Double(fewest)).rounded(.up)
                return .fewSamples(
                    quantile: quantile,
                    fewest: fewest,
                    needed: needed,
                    rounds: Int(min(enough, 1e9))
                )
            }
    }
}
