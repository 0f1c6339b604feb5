package import Samples
package import Statistics

/// What the rounds of one series say: of each candidate against the baseline, and of all beside
/// each other.
package struct SeriesEvidence: Hashable, Sendable {
    /// A comparison with its candidate, an index of the recording's targets.
    package struct Candidate: Hashable, Sendable {
        package var target: Int
        package var comparison: Comparison
    }

    package var series: Series
    /// An index of the recording's targets; `nil` where nothing is compared.
    package var baseline: Int?
    /// In the order of the targets.
    package var candidates: [Candidate]
    /// Of ``ranked``; `nil` without any.
    package var ranking: Ranking?
    /// Indexes of the recording's targets: those that fail no more than most.
    package var ranked: [Int]
    /// Rounds of the series that were taken into account.
    package var rounds: Int
    /// Resolvers over encrypted transports against themselves over a plain one.
    package var encryption: [TransportPair] = []

    /// One resolver over two transports, with indexes of the recording's targets; the plain one is
    /// the comparison's baseline.
    package struct TransportPair: Hashable, Sendable {
        package var plain: Int
        package var encrypted: Int
        package var comparison: Comparison
    }

    /// The ranks that a target may have; `nil` for one that fails more than most.
    package func rank(of target: Int) -> ClosedRange<Int>? {
        ranked.firstIndex(of: target).flatMap { ranking?.ranks[$0] }
    }

    /// Whether anything was held against the baseline, or need not be.
    package var isTested: Bool {
        candidates.contains { $0.comparison.rounds > 0 || $0.comparison.reason == .tampering }
    }

    /// Whether one of two targets is faster than the other.
    package func tellsApart(_ first: Int, _ second: Int) -> Bool {
        guard let first = ranked.firstIndex(of: first), let second = ranked.firstIndex(of: second)
        else { return false }
        return ranking?.tellsApart(first, second) == true
    }
}

extension SeriesEvidence {
    /// The evidence in `recording`, which is that of the run that it was recorded from.
    package static func all(
        of recording: Recording,
        baseline: String?,
        rules: ComparisonRules = ComparisonRules(),
        ending: ComparisonProcess.Ending = .budgetSpent,
        tampering: Set<String> = []
    ) -> [SeriesEvidence] {
        var feed = EvidenceFeed(
            targets: recording.targets,
            questions: recording.questions,
            baseline: baseline,
            rules: rules,
            tampering: tampering
        )
        feed.add(recording)
        return feed.evidence(ending: ending)
    }
}
