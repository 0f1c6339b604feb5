/// Something that a reader should know before relying on the figures, and what to do about it.
public enum Caveat: Hashable, Sendable {
    /// Nobody tested whether the differences are more than chance.
    case untestedDifference
    /// A quantile that rests on too few queries for an interval; `fewest` are the least of a row.
    case fewSamples(quantile: String, fewest: Int, needed: Int, rounds: Int)
    /// Queries that left more than 5 ms after their time; `greatest` in milliseconds.
    case lateSends(count: Int, of: Int, greatest: Double)
    /// Times taken by the process instead of the kernel.
    case userClock(count: Int, of: Int)
    case interrupted(rounds: Int, of: Int)
    /// Queries while waiting for which messages came that were no answer to them.
    case strayAnswers(count: Int)
    /// Rounds in which there was no route to any resolver.
    case offlineRounds(count: Int, of: Int)
    /// Queries whose destination was not allowed.
    case blocked(count: Int)
    /// Answers that block the name.
    case filtered(count: Int)

    /// What programs know it by; never changes.
    public var code: String {
        switch self {
        case .untestedDifference: "untested-difference"
        case .fewSamples: "few-samples"
        case .lateSends: "late-sends"
        case .userClock: "user-clock"
        case .interrupted: "interrupted"
        case .strayAnswers: "stray-answers"
        case .offlineRounds: "offline-rounds"
        case .blocked: "blocked"
        case .filtered: "filtered"
        }
    }

    /// What it means, and the remedy.
    public var text: String {
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
        case .userClock(let count, let all):
            "\(count) of \(all.of("time", "times")) were not stamped by the kernel and hold the "
                + "delays of this machine too: repeat it while it has less to do."
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
        case .filtered(let count):
            "\(count.of("answer blocks the name and is", "answers block the name and are")) left "
                + "out of the times: ask for names that no resolver filters, with --domain."
        }
    }
}

extension Int {
    /// The number with the noun that it takes, such as `1 query` or `2 queries`.
    func of(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
