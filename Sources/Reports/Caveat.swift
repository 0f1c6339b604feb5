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
    /// What this machine needs to answer itself, at the median, in milliseconds.
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

    /// What programs know it by; never changes.
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
