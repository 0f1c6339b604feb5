import Analysis
import Samples

extension RateLimit {
    /// The predicate of a resolver that seems to limit the rate.
    var words: String {
        if let answersBefore {
            let queries = answersBefore.of("query", "queries")
            return "answered \(queries), and at least half of the later ones were \(fate): it may "
                + "limit the rate of queries"
        }
        let limit = answersPerSecond.map { answers in
            " to about \(max(answers, 0.1).fixed(answers < 3 ? 1 : 0)) queries per second"
        }
        return "answered queries that followed a pause, and quick successions were \(fate): it "
            + "seems to limit the rate\(limit ?? "")"
    }

    private var fate: String {
        switch response {
        case .refused: "refused"
        case .silence: "lost"
        case .truncated: "truncated or lost"
        }
    }
}

extension RateLimit {
    /// The limit for programs.
    static let shape = Shape<RateLimit>(
        "rate_limit",
        [
            .word("response", "Response to queries above the limit.") { $0.response },
            .count(
                "answers_before",
                null: "failures depend on the rate",
                "Queries that were answered before a limit that then lasted."
            ) { $0.answersBefore },
            .number(
                "answers_per_s",
                .perSecond,
                digits: 0...3,
                null: "unknown",
                "Answered queries per second above the limit."
            ) { $0.answersPerSecond },
        ]
    )
}
