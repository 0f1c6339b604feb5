import Analysis
import Catalogue
import DNSWire
import Samples
import Statistics

extension Warning {
    static let untestedDifference = Warning(
        .untestedDifference,
        "No significance test was made.",
        "Compare with --baseline."
    )

    /// The minimum number of queries for a two-sided 95 % interval of a quantile (order statistics;
    /// David & Nagaraja, Order Statistics, §7.1).
    static let queriesForP95 = QuantileInterval.fewestValues(forQuantile: 0.95)
    static let queriesForP99 = QuantileInterval.fewestValues(forQuantile: 0.99)
}

extension ComparisonReport {
    /// Warnings that apply to the run, the most serious first.
    func findWarnings() -> [Warning] {
        let names = recording.targets.names.map(EscapedText.terminal)
        return ofRounds + ofQueries(names) + ofComparisons(names) + ofResolvers(names)
            + order.notes + ofQuantiles + ofTiming
    }

    /// Whether all rounds come from files that do not name their origin. Notes on this machine's
    /// instrument then do not apply. The rounds cannot be repeated here.
    private var isImported: Bool {
        context.command == nil && !recording.runs.isEmpty
            && recording.runs.allSatisfy { $0.origin == .imported }
    }

    /// The remedy; `nil` for imported rounds, which cannot be repeated here.
    func remedy(_ text: String) -> String? { isImported ? nil : text }

    /// The remedy if this machine is too busy. Scheduled rounds continue in any case.
    private var calm: String {
        "\(isOfSchedule ? "Measure" : "Repeat the run") while this machine is less busy."
    }

    private var ofRounds: [Warning] {
        var warnings = Warning.limited(
            to: context.selection,
            without: context.unreadPlaces
        )
        warnings += context.unmeasured.map {
            Warning(.untrusted, "\(EscapedText.terminal($0.sentence)).")
        }
        let planned = max(context.plan.rounds, rounds)
        warnings.add(.interrupted, if: context.isInterrupted) {
            "The run was interrupted after \(rounds) of \(planned.of("round", "rounds"))."
        } _: {
            "Let it finish, or lower --rounds."
        }
        warnings += Verification(of: rows).notes
        let kept = rows.filter { $0.target.series != .first }.compactMap(\.connections?.uses)
        let uses = kept.reduce(0) { $0 + $1.values.reduce(0, +) }
        // Without a warm-up, the first query of each resolver opens its connection.
        let opened = kept.reduce(0) { $0 + max(0, ($1[.new] ?? 0) - 1) }
        // Up to one query in ten may find its connection closed.
        warnings.add(.reopened, if: !isImported && 10 * opened > uses) {
            "\(opened) of \(uses.of("query", "queries")) found their connection closed and opened a "
                + "new one."
        } _: {
            "Query fewer resolvers at once, or more often, with \(context.option("--rate"))."
        }
        let all = quality.rounds.of("round", "rounds")
        warnings.add(.offlineRounds, if: quality.offlineRounds > 0) {
            "In \(quality.offlineRounds) of \(all) there was no route to any resolver, and "
                + "nothing was sent."
        } _: {
            remedy("Check the connection.")
        }
        warnings.add(.outageRounds, if: quality.outageRounds > 0) {
            "In \(quality.outageRounds) of \(all) no resolver answered."
        } _: {
            remedy("Check the connection.")
        }
        warnings.add(.suspendedRounds, if: quality.sleptRounds > 0) {
            "This machine was suspended in \(quality.sleptRounds) of \(all)."
        } _: {
            remedy("Keep it awake during a run.")
        }
        let changes = context.networkChanges ?? 0
        warnings.add(.networkChanged, if: changes > 0) {
            "This machine's network changed \(changes.of("time", "times")) during the run."
        } _: {
            "Repeat the run on one network."
        }
        return warnings
    }

    /// Warnings about queries that did not reach a resolver, with the most frequent reason.
    private func ofQueries(_ names: [String]) -> [Warning] {
        var warnings = [Warning].causes(of: rows)
        var reasons: [String: [String: Int]] = [:]
        for (target, counts) in quality.unreached where names.indices.contains(target) {
            reasons[names[target], default: [:]].merge(counts, uniquingKeysWith: +)
        }
        for (name, counts) in reasons.sorted(by: { $0.key < $1.key }) {
            let main = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
            let reason = main.isEmpty ? "the network said so" : EscapedText.terminal(main)
            let count = counts.values.reduce(0, +)
            let queries = rows.filter { $0.said == name }.reduce(0) { $0 + $1.counts.measured }
            warnings.add(.unreached) {
                "\(count) of \(max(queries, count).of("query", "queries")) could not reach \(name) "
                    + "(\(reason))."
            } _: {
                "Check its address, and the connection."
            }
        }
        let unknown = quality.unknownNames.map(EscapedText.terminal)
        warnings.add(.unknownNames, if: !unknown.isEmpty) {
            let more = unknown.count - Self.mostNames
            let names =
                unknown.prefix(Self.mostNames).joined(separator: ", ")
                + (more > 0 ? " and \(more) more" : "")
            return "No resolver knows \(names) (NXDOMAIN)."
        } _: {
            remedy(unknown.count == 1 ? "Check its spelling." : "Check their spelling.")
        }
        let found = quality.foundNames
        warnings.add(.unknownNames, if: found.areManyUnknown) {
            let all = found.answered.of("name does", "names do")
            return "\(found.unknown) of \(all) not exist (NXDOMAIN), and whether they were in a "
                + "cache is unknown."
        } _: {
            remedy("Check the list of \(context.option("--domains")).")
        }
        let blocked = rows.reduce(0) { $0 + $1.counts[.blocked] }
        warnings.add(.blocked, if: blocked > 0) {
            "\(blocked.of("query was", "queries were")) not sent, to addresses outside the "
                + "allowed networks."
        } _: {
            remedy(
                "Extend the networks with \(context.option("--allow-net")), or omit these resolvers."
            )
        }
        return warnings
    }

    private static let mostNames = 3

    private func ofComparisons(_ names: [String]) -> [Warning] {
        var warnings =
            Series.allCases.contains(where: isUntested) ? [Warning.untestedDifference] : []
        let candidates = evidence.flatMap { $0.candidates + $0.whole }
        let advised = Set(candidates.filter { $0.comparison.verdict == .switch }.map(\.target))
        let unchecked = advised.sorted().map { names[$0] }.uniqued
            .filter(context.unchecked.contains)
        warnings.add(.unchecked, if: !unchecked.isEmpty) {
            "The answers of \(unchecked.joined(separator: " and ")) were not checked."
        } _: {
            "Run dnstempo check before you switch."
        }
        warnings.add(.severalRuns, if: context.earlierToday > 0) {
            "This comparison was already run \(context.earlierToday.of("time", "times")) today."
        } _: {
            "Continue the last run with --resume."
        }
        for series in evidence {
            for candidate in series.candidates {
                guard let correlation = candidate.comparison.autocorrelation,
                    correlation.isNotable, let baseline = series.baseline,
                    candidate.comparison.unit == .round, context.span < Self.longRun
                else { continue }
                warnings.add(.autocorrelation) {
                    "Consecutive rounds of \(names[candidate.target]) and \(names[baseline]) are "
                        + "autocorrelated (\(correlation.coefficient.fixed(2)))."
                } _: {
                    remedy(
                        areRoundsClose
                            ? "Space the rounds with \(context.option("--interval 30s"))."
                            : "Measure for a day or longer."
                    )
                }
            }
        }
        return warnings
    }

    /// Rounds over a day or longer also represent other times.
    private static let longRun = Duration.seconds(86_400)

    /// Whether the rounds are less than 30 seconds apart on average.
    private var areRoundsClose: Bool {
        context.span < .seconds(30) * Swift.max(1, rounds - 1)
    }

    /// Whether the series has several medians, but no test compared them.
    private func isUntested(_ series: Series) -> Bool {
        rows(of: series).count { $0.latency.median != nil } > 1
            && evidence(of: series)?.isTested != true
    }

    /// Whether `sample` or `watch` measured all rounds.
    var isOfSchedule: Bool {
        !recording.runs.isEmpty
            && recording.runs.allSatisfy { $0.origin == .sample || $0.origin == .watch }
    }

    /// Warnings for too few queries for p95 or p99. A star in the table refers to them. Rows
    /// without queries, and resolvers that left the run early, are ignored.
    private var ofQuantiles: [Warning] {
        let counts = rows.filter { $0.departure == nil }.map(\.latency.count)
        guard let fewest = counts.filter({ $0 > 0 }).min(), rounds > 0 else {
            return []
        }
        return [("p95", Warning.queriesForP95), ("p99", Warning.queriesForP99)]
            .filter { fewest < $0.1 }
            .map { quantile, needed in
                // Assumes as many queries per round as this run had.
                let enough = (Double(needed) * Double(rounds) / Double(fewest)).rounded(.up)
                let length =
                    series == [.asFound]
                    ? "--names \(needed)" : "--rounds \(Int(min(enough, 1e9)))"
                let advice =
                    isOfSchedule
                    ? "Choose a longer window with --since." : "Use \(context.option(length))."
                var warning = Warning.fewSamples(quantile, needed, fewest, remedy(advice))
                warning.isDetail = quantile != "p95"
                return warning
            }
    }

    /// The minimum number of readings during a run for a conclusion.
    private static let readingsDuring = 5

    private var ofTiming: [Warning] {
        var warnings: [Warning] = []
        let greatest = (Double(quality.greatestLateness) * 1e-6).rounded()
        // The time stamp is taken when the query leaves. A few late queries therefore change
        // nothing.
        warnings.add(.lateSends, if: !isImported && 100 * quality.lateNames > quality.sent) {
            "\(quality.late) of \(quality.sent.of("query", "queries")) left more than 5 ms late (up "
                + "to \(LatencyFormat.plain(greatest)))."
        } _: {
            calm
        }
        // One query in 100 changes no quantile that is shown.
        let timed = quality.timed.values.reduce(0, +)
        let unstamped = quality.timed[.user] ?? 0
        warnings.add(.userClock, if: !isImported && unstamped > timed / 100) {
            "\(unstamped) of \(timed.of("round trip", "round trips")) have no kernel time stamps."
        } _: {
            calm
        }
        let during = context.instrumentDuring.flatMap { check in
            check.roundTrips.count < Self.readingsDuring ? nil : check
        }
        // Uses the worse of the two checks. Clock steps during a check are ignored, because other
        // notes report the clock's effect on the samples.
        let checks = [context.instrument, during].compactMap(\.self)
        if let slowest = checks.compactMap(\.slowness).max() {
            warnings.add(.slowInstrument) {
                "A query to this machine itself took \((Double(slowest) * 1e-6).fixed(1)) ms."
            } _: {
                calm
            }
        }
        if let latest = checks.compactMap(\.tardiness).max() {
            warnings.add(.timerDelay) {
                "Timers of this machine were \((Double(latest) * 1e-6).fixed(1)) ms late as a rule."
            } _: {
                calm
            }
        }
        return warnings + ofMessages
    }

    private var ofMessages: [Warning] {
        var warnings: [Warning] = []
        let most = quality.rate.mostToOne
        // The pace is an average over a block of queries. The last queries of a block may coincide
        // with the first queries of the next block. Poisson sampling bunches queries by chance.
        if context.plan.sampling != .poisson, let rate = context.plan.pace?.rate,
            Double(most) > 2 * rate + 1
        {
            warnings.add(.bursts) {
                "Late queries bunched: one resolver got \(most) queries in a second instead of "
                    + "\(rate.fixed(least: 0, most: 1))."
            } _: {
                "\(calm.dropLast()), or lower \(context.option("--rate"))."
            }
        }
        let strays = quality.strays
        warnings.add(.strayAnswers, if: strays > 0) {
            "\(strays.of("query", "queries")) received messages that did not answer them."
        } _: {
            remedy("Find their senders with \(context.option("--samples FILE")).")
        }
        let filtered = rows.reduce(0) { $0 + $1.counts[.filtered] }
        warnings.add(.filtered, if: filtered > 0) {
            "\(filtered.of("answer blocks its name", "answers block their names"))."
        } _: {
            remedy("Query names that no resolver filters, with \(context.option("--domain")).")
        }
        return warnings
    }
}
