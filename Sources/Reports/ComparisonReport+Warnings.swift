import Analysis
import DNSWire
import Samples
import Statistics

extension Warning {
    static let untestedDifference = Warning(
        code: "untested-difference",
        text: "No significance test: the difference may be chance."
    )

    /// Fewest queries for a two-sided 95 % interval of a quantile (order statistics; David &
    /// Nagaraja, Order Statistics, §7.1).
    static let queriesForP95 = 72
    static let queriesForP99 = 368
}

extension [Warning] {
    mutating func add(_ code: String, if holds: Bool = true, _ text: () -> String) {
        if holds { append(Warning(code: code, text: text())) }
    }
}

extension ComparisonReport {
    /// Warnings that hold of the run, the gravest first.
    func findWarnings() -> [Warning] {
        let names = recording.targets.names.map(EscapedText.terminal)
        return ofRounds + ofQueries(names) + ofComparisons(names) + ofResolvers(names)
            + ofQuantiles + ofTiming
    }

    private var ofRounds: [Warning] {
        var warnings: [Warning] = []
        let planned = max(context.plan.rounds, rounds)
        warnings.add("interrupted", if: context.isInterrupted) {
            "Interrupted after \(rounds) of \(planned.of("round", "rounds")): let it run to the "
                + "end, or ask for fewer with --rounds."
        }
        warnings += Verification(of: rows).notes
        let kept = rows.filter { $0.target.series != .first }.compactMap(\.connections?.uses)
        let uses = kept.reduce(0) { $0 + $1.values.reduce(0, +) }
        // Without a warm-up the first query of each opens its connection.
        let opened = kept.reduce(0) { $0 + max(0, ($1[.new] ?? 0) - 1) }
        // One in ten may find its connection closed.
        warnings.add("reopened", if: 10 * opened > uses) {
            "\(opened) of \(uses.of("query", "queries")) on kept connections found these closed, and "
                + "went on new ones: ask fewer resolvers at once, or more often, with --rate."
        }
        let all = quality.rounds.of("round", "rounds")
        warnings.add("offline-rounds", if: quality.offlineRounds > 0) {
            "In \(quality.offlineRounds) of \(all) there was no route to any resolver, and "
                + "nothing was sent: check the connection, then repeat it."
        }
        warnings.add("outage-rounds", if: quality.outageRounds > 0) {
            "In \(quality.outageRounds) of \(all) no resolver answered at all, which says "
                + "something of the connection and nothing of them; they are left out: check the "
                + "connection, then repeat it."
        }
        warnings.add("slept-rounds", if: quality.sleptRounds > 0) {
            "This machine slept in \(quality.sleptRounds) of \(all), which says nothing of "
                + "the resolvers; they are left out: keep it awake while it measures."
        }
        let changes = context.networkChanges ?? 0
        warnings.add("network-changed", if: changes > 0) {
            "The network of this machine changed \(changes.of("time", "times")) during the run: "
                + "repeat it on one network."
        }
        return warnings
    }

    /// Warnings of queries that did not reach a resolver, with the reason that most of them have.
    private func ofQueries(_ names: [String]) -> [Warning] {
        var warnings: [Warning] = []
        var reasons: [String: [String: Int]] = [:]
        for (target, counts) in quality.unreached where names.indices.contains(target) {
            reasons[names[target], default: [:]].merge(counts, uniquingKeysWith: +)
        }
        for (name, counts) in reasons.sorted(by: { $0.key < $1.key }) {
            let main = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            let reason = main.isEmpty ? "the network said so" : EscapedText.terminal(main)
            let count = counts.values.reduce(0, +)
            let queries = rows.filter { $0.said == name }.reduce(0) { $0 + $1.counts.measured }
            warnings.add("unreached") {
                "\(count) of \(max(queries, count).of("query", "queries")) could not reach \(name) "
                    + "(\(reason)): check its address, and the connection."
            }
        }
        let blocked = rows.reduce(0) { $0 + $1.counts[.blocked] }
        warnings.add("blocked", if: blocked > 0) {
            "\(blocked.of("query was", "queries were")) not sent, to addresses outside "
                + "--allow-net: extend it, or leave these resolvers out."
        }
        return warnings
    }

    private func ofComparisons(_ names: [String]) -> [Warning] {
        var warnings =
            Series.allCases.contains(where: isUntested) ? [Warning.untestedDifference] : []
        let candidates = evidence.flatMap(\.candidates)
        let advised = Set(candidates.filter { $0.comparison.verdict == .switch }.map(\.target))
        let unchecked = advised.sorted().map { names[$0] }.uniqued
            .filter(context.unchecked.contains)
        warnings.add("unchecked", if: !unchecked.isEmpty) {
            "Whether \(unchecked.joined(separator: " and ")) "
                + "\(unchecked.count == 1 ? "tells" : "tell") the truth is not known: look with "
                + "dnstempo check before you switch."
        }
        let runs = context.runsToday ?? 1
        warnings.add("several-runs", if: runs > 1) {
            "This is run \(runs) of today; whoever tries again until it says yes will be told so "
                + "by chance: go on with the same run, with --resume."
        }
        for series in evidence {
            for candidate in series.candidates {
                guard let correlation = candidate.comparison.autocorrelation,
                    correlation.isNotable, let baseline = series.baseline
                else { continue }
                warnings.add(Self.autocorrelation) {
                    "The rounds of \(names[candidate.target]) and \(names[baseline]) follow each "
                        + "other closely (correlation \(correlation.coefficient.fixed(2))), so "
                        + "that a short run may mislead about a longer time: spread it with "
                        + "--interval 30s."
                }
            }
        }
        return warnings
    }

    static let autocorrelation = "autocorrelation"

    /// Whether medians of a series stand beside each other and none was held against another.
    private func isUntested(_ series: Series) -> Bool {
        rows(of: series).count { $0.latency.median != nil } > 1
            && evidence(of: series)?.isTested != true
    }

    private func ofResolvers(_ names: [String]) -> [Warning] {
        var warnings: [Warning] = []
        let steps = quality.clockSteps
        warnings.add("clock-step", if: steps > 0 || context.clockStep != nil) {
            steps == 0
                ? "The system's clock was set during the run, between queries: their times are "
                    + "right, but the times of day before and after do not fit together."
                : "The system's clock was set during \(steps.of("query", "queries")), whose times "
                    + "rest on the process's own clock: repeat it once the clock is right."
        }
        // What expires during a run is looked up anew: one in twenty is no cold cache.
        warnings.add("cold-cache", if: 20 * quality.misses > quality.knownStates) {
            "\(quality.misses) of \(quality.knownStates.of("answer", "answers")) to names "
                + "that should be cached were looked up first: repeat it, or ask for names that "
                + "are used more, with --domains."
        }
        for (target, after) in quality.limited.sorted(by: { $0.key < $1.key }) {
            warnings.add("rate-limited") {
                "\(names[target]) answered \(after.of("query", "queries")) and then hardly any: it "
                    + "may limit how often it is asked; ask more slowly, with --rate."
            }
        }
        for (target, sites) in quality.sites.sorted(by: { $0.key < $1.key })
        where names.indices.contains(target) {
            warnings.add("site-changed") {
                "\(names[target]) was reached at \(sites) different sites, so its times are of "
                    + "several places: see which with --samples FILE."
            }
        }
        for pair in quality.sharedCaches {
            warnings.add("shared-cache") {
                "\(pair.map { names[$0] }.joined(separator: " and ")) seem to answer from one "
                    + "cache: count them as one resolver, and configure another one beside them."
            }
        }
        return warnings
    }

    /// Warnings of rows with some queries but too few for p95 or p99; a star in the table refers to
    /// them.
    private var ofQuantiles: [Warning] {
        guard let fewest = rows.map(\.latency.count).filter({ $0 > 0 }).min(), rounds > 0 else {
            return []
        }
        return [("p95", Warning.queriesForP95), ("p99", Warning.queriesForP99)]
            .filter { fewest < $0.1 }
            .map { quantile, needed in
                // As many queries a round as there were in this run.
                let enough = (Double(needed) * Double(rounds) / Double(fewest)).rounded(.up)
                return Warning(
                    code: "few-samples",
                    text: "\(quantile) rests on as few as \(fewest.of("query", "queries")) to a "
                        + "resolver, and needs \(needed) to be trusted: measure more with --rounds "
                        + "\(Int(min(enough, 1e9))).",
                    isStarred: true,
                    isDetail: quantile != "p95"
                )
            }
    }

    /// Fewer readings during a run say nothing of it.
    private static let readingsDuring = 5

    private var ofTiming: [Warning] {
        var warnings: [Warning] = []
        let greatest = (Double(quality.greatestLateness) * 1e-6).rounded()
        warnings.add("late-sends", if: quality.late > 0) {
            "\(quality.late) of \(quality.sent.of("query", "queries")) left more than 5 ms late (up "
                + "to \(LatencyFormat.plain(greatest))): repeat it while this machine has less to do."
        }
        // One in a hundred changes no quantile that is shown.
        warnings.add("user-clock", if: quality.userClock > quality.timed / 100) {
            "\(quality.userClock) of \(quality.timed.of("time", "times")) were not stamped by the "
                + "kernel and hold the delays of this machine too: repeat it while it has less to do."
        }
        let during = context.instrumentDuring.flatMap { check in
            check.roundTrips.count < Self.readingsDuring ? nil : check
        }
        // Of the two checks the worse. What the clock did to the times is told of those.
        let checks = [context.instrument, during].compactMap(\.self)
        if let slowest = checks.compactMap(\.slowness).max() {
            warnings.add("slow-instrument") {
                "This machine took \((Double(slowest) * 1e-6).fixed(1)) ms to answer itself, which "
                    + "is in every time shown: repeat it while it has less to do."
            }
        }
        if let latest = checks.compactMap(\.tardiness).max() {
            warnings.add("late-waking") {
                "This machine woke the program \((Double(latest) * 1e-6).fixed(1)) ms late as a "
                    + "rule, so that queries do not leave when they should: repeat it while it has "
                    + "less to do."
            }
        }
        let most = quality.rate.mostToOne
        // The pace is an average over a block, whose queries may meet those of the next.
        if let rate = context.plan.pace?.rate, Double(most) > 2 * rate + 1 {
            warnings.add("bursts") {
                "Late queries bunched: one resolver got \(most) in a second instead of "
                    + "\(rate.fixed(least: 0, most: 1)), and may limit that: repeat it while this "
                    + "machine has less to do, or ask more slowly, with --rate."
            }
        }
        let strays = quality.strays
        warnings.add("stray-answers", if: strays > 0) {
            "While \(strays.of("query", "queries")) waited, messages came that were no answer to "
                + "them and were ignored: repeat it, and if it persists, see who sends them with "
                + "--samples FILE."
        }
        let filtered = rows.reduce(0) { $0 + $1.counts[.filtered] }
        warnings.add("filtered", if: filtered > 0) {
            "\(filtered.of("answer blocks the name and is", "answers block the name and are")) left "
                + "out of the times: ask for names that no resolver filters, with --domain."
        }
        return warnings
    }
}
