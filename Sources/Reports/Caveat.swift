/// Something that a reader should know before relying on the figures, and what to do about it.
package enum Caveat: Hashable, Sendable {
    /// Nobody tested whether the differences are more than chance.
    case untestedDifference
    /// A quantile that rests on too few queries for an interval; `fewest` are the least of a row.
    case fewSamples(quantile: String, fewest: Int, needed: Int, rounds: Int)
    /// Queries that left more than 5 ms after their time; `greatest` in milliseconds.
    case lateSends(count: Int, of: Int, greatest: Double)
    /// Times taken by the process instead of the kernel.
    case userClock(count: Int, of: Int)
    /// Time that this machine needs to answer itself, at the median, in milliseconds.
    case slowInstrument(Double)
    /// How late this machine wakes the program, at the median, in milliseconds.
    case lateWaking(Double)
    /// The most queries to one resolver in a second, of so many that it may get on average.
    case bursts(most: Int, allowed: Double)
    case interrupted(rounds: Int, of: Int)
    /// Queries while waiting for which messages came that were no answer to them.
    case strayAnswers(count: Int)
    /// Rounds in which there was no route to any resolver.
    case offlineRounds(count: Int, of: Int)
    /// Rounds in which every resolver was silent.
    case outageRounds(count: Int, of: Int)
    /// Rounds in which the machine slept.
    case sleptRounds(count: Int, of: Int)
    /// Round trips during which the system's clock was set; none where it was set between them.
    case clockStep(count: Int)
    /// Times that the network changed during the run.
    case networkChanged(count: Int)
    /// Cached names that had to be looked up.
    case coldCache(count: Int, of: Int)
    /// A resolver that answered so often, and then hardly any more.
    case rateLimited(resolver: String, after: Int)
    /// A resolver that was reached at several sites.
    case siteChanged(resolver: String, sites: Int)
    /// Resolvers that seem to answer from one cache.
    case sharedCache(resolvers: [String])
    /// Rounds whose results follow each other; between which resolvers, and how closely.
    case autocorrelation(baseline: String, candidate: String, coefficient: Double)
    /// Several tries find a difference sooner than one.
    case severalRuns(count: Int)
    /// Queries whose destination was not allowed.
    case blocked(count: Int)
    /// Resolvers to switch to, of whom it is not known whether they tell the truth.
    case unchecked(resolvers: [String])
    /// Queries over connections whose other end may have been anybody.
    case unverified(count: Int, of: Int)
    /// Queries on connections that are kept for which one had to be opened again.
    case reopened(count: Int, of: Int)
    /// Queries to a resolver that could not be reached, and why, as most of them say.
    case unreached(resolver: String, count: Int, of: Int, reason: String)
    /// Answers that block the name.
    case filtered(count: Int)

    /// Name for programs; never changes.
    package var code: String {
        switch self {
        case .untestedDifference: "untested-difference"
        case .fewSamples: "few-samples"
        case .lateSends: "late-sends"
        case .userClock: "user-clock"
        case .slowInstrument: "slow-instrument"
        case .lateWaking: "late-waking"
        case .bursts: "bursts"
        case .interrupted: "interrupted"
        case .strayAnswers: "stray-answers"
        case .offlineRounds: "offline-rounds"
        case .outageRounds: "outage-rounds"
        case .sleptRounds: "slept-rounds"
        case .clockStep: "clock-step"
        case .networkChanged: "network-changed"
        case .coldCache: "cold-cache"
        case .rateLimited: "rate-limited"
        case .siteChanged: "site-changed"
        case .sharedCache: "shared-cache"
        case .autocorrelation: "autocorrelation"
        case .severalRuns: "several-runs"
        case .blocked: "blocked"
        case .unchecked: "unchecked"
        case .unverified: "unverified"
        case .reopened: "reopened"
        case .unreached: "unreached"
        case .filtered: "filtered"
        }
    }
}

extension Int {
    /// The number with the noun that it takes, such as `1 query` or `2 queries`.
    func of(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}

extension Caveat {
    /// Meaning, and the remedy.
    package var text: String {
        switch self {
        case .untestedDifference:
            "Whether the difference is more than luck was not tested."
        case .fewSamples(let quantile, let fewest, let needed, let rounds):
            "\(quantile) rests on as few as \(fewest.of("query", "queries")) to a resolver, and "
                + "needs \(needed) to be trusted: measure more with --rounds \(rounds)."
        case .lateSends(let count, let all, let greatest):
            "\(count) of \(all.of("query", "queries")) left more than 5 ms late (up to "
                + "\(LatencyFormat.plain(greatest.rounded()))): repeat it while this machine "
                + "has less to do."
        case .interrupted(let rounds, let planned):
            "Interrupted after \(rounds) of \(planned.of("round", "rounds")): let it run to the "
                + "end, or ask for fewer with --rounds."
        case .strayAnswers(let count):
            "While \(count.of("query", "queries")) waited, messages came that were no answer to "
                + "them and were ignored: repeat it, and if it persists, see who sends them with "
                + "--samples FILE."
        case .offlineRounds(let count, let all):
            "In \(count) of \(all.of("round", "rounds")) there was no route to any resolver, and "
                + "nothing was sent: check the connection, then repeat it."
        case .blocked(let count):
            "\(count.of("query was", "queries were")) not sent, to addresses outside --allow-net: "
                + "extend it, or leave these resolvers out."
        case .unverified(let count, let all):
            "\(count) of \(all.of("query", "queries")) went to whoever answered, since no "
                + "certificate was verified: repeat it without --insecure."
        case .reopened(let count, let all):
            "\(count) of \(all.of("query", "queries")) on kept connections found these closed, and "
                + "went on new ones: ask fewer resolvers at once, or more often, with --rate."
        case .filtered(let count):
            "\(count.of("answer blocks the name and is", "answers block the name and are")) left "
                + "out of the times: ask for names that no resolver filters, with --domain."
        case .userClock(let count, let all):
            "\(count) of \(all.of("time", "times")) were not stamped by the kernel and hold the "
                + "delays of this machine too: repeat it while it has less to do."
        case .slowInstrument(let time):
            "This machine took \(time.fixed(1)) ms to answer itself, which is in every time shown: "
                + "repeat it while it has less to do."
        case .lateWaking(let time):
            "This machine woke the program \(time.fixed(1)) ms late as a rule, so that queries do "
                + "not leave when they should: repeat it while it has less to do."
        case .bursts(let most, let allowed):
            "Late queries bunched: one resolver got \(most) in a second instead of "
                + "\(allowed.fixed(least: 0, most: 1)), and may limit that: repeat it while this "
                + "machine has less to do, or ask more slowly, with --rate."
        case .outageRounds(let count, let all):
            "In \(count) of \(all.of("round", "rounds")) no resolver answered at all, which says "
                + "something of the connection and nothing of them; they are left out: check the "
                + "connection, then repeat it."
        case .sleptRounds(let count, let all):
            "This machine slept in \(count) of \(all.of("round", "rounds")), which says nothing of "
                + "the resolvers; they are left out: keep it awake while it measures."
        case .clockStep(count: 0):
            "The system's clock was set during the run, between queries: their times are right, but "
                + "the times of day before and after do not fit together."
        case .clockStep(let count):
            "The system's clock was set during \(count.of("query", "queries")), whose times rest on "
                + "the process's own clock: repeat it once the clock is right."
        case .networkChanged(let count):
            "The network of this machine changed \(count.of("time", "times")) during the run: "
                + "repeat it on one network."
        case .severalRuns(let count):
            "This is run \(count) of today; whoever tries again until it says yes will be told so "
                + "by chance: go on with the same run, with --resume."
        case .coldCache(let count, let all):
            "\(count) of \(all.of("answer", "answers")) to names that should be cached were looked "
                + "up first: repeat it, or ask for names that are used more, with --domains."
        case .rateLimited(let resolver, let after):
            "\(resolver) answered \(after.of("query", "queries")) and then hardly any: it may limit "
                + "how often it is asked; ask more slowly, with --rate."
        case .siteChanged(let resolver, let sites):
            "\(resolver) was reached at \(sites) different sites, so its times are of several "
                + "places: see which with --samples FILE."
        case .sharedCache(let resolvers):
            "\(resolvers.joined(separator: " and ")) seem to answer from one cache: count them as "
                + "one resolver, and configure another one beside them."
        case .unchecked(let resolvers):
            "Whether \(resolvers.joined(separator: " and ")) "
                + "\(resolvers.count == 1 ? "tells" : "tell") the truth is not known: look with "
                + "dnstempo check before you switch."
        case .unreached(let resolver, let count, let all, let reason):
            "\(count) of \(all.of("query", "queries")) could not reach \(resolver) "
                + "(\(reason)): check its address, and the connection."
        case .autocorrelation(let baseline, let candidate, let coefficient):
            "The rounds of \(candidate) and \(baseline) follow each other closely (correlation "
                + "\(coefficient.fixed(2))), so that a short run may mislead about a longer time: "
                + "spread it with --interval 30s."
        }
    }

    /// A star in the table refers to those of p95 and p99.
    var warning: Warning {
        var warning = Warning(code: code, text: text)
        if case .fewSamples(let quantile, _, _, _) = self {
            warning.isStarred = true
            warning.isDetail = quantile != "p95"
        }
        return warning
    }
}
