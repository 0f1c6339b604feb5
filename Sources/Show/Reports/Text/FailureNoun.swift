import Samples
import Statistics

/// The word for failed queries. Only queries without any response are packet loss.
enum FailureNoun: Hashable, Sendable {
    case loss, failures, wrongAnswers

    /// The word that fits all counts together, so that compared resolvers have the same word.
    init(of all: [OutcomeCounts]) {
        let counts = all.reduce(into: OutcomeCounts()) { $0.merge($1) }
        self =
            if counts.lost == counts.failed {
                .loss
            } else if counts[.wrong] == counts.failed {
                .wrongAnswers
            } else {
                .failures
            }
    }

    init(of row: ResolverSummary) { self.init(of: [row.counts]) }

    var text: String {
        switch self {
        case .loss: "packet loss"
        case .failures: "failed queries"
        case .wrongAnswers: "wrong answers"
        }
    }

    /// A comparative such as `lower packet loss`.
    var less: String { self == .loss ? "lower packet loss" : "fewer \(text)" }

    /// A comparative such as `higher packet loss`.
    var more: String { self == .loss ? "higher packet loss" : "more \(text)" }

    /// The predicate of a resolver that fails more often, and of one that may fail more often.
    var exceeds: String { self == .loss ? "loses more queries" : "has more \(text)" }
    var mayExceed: String { self == .loss ? "may lose more queries" : "may have more \(text)" }

    /// The predicate of a resolver with the failures of `count`.
    func prevails(in count: FailureCount) -> String {
        let rest = count.queries - count.failures
        let part =
            count.failures > rest ? "most" : count.failures == rest ? "half of the" : "many"
        return self == .loss
            ? "left \(part) queries unanswered" : "gave \(part) queries no usable answer"
    }
}
