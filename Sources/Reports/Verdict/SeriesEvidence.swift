public import Measurement
public import Statistics

/// What the rounds of one series say: of each candidate against the baseline, and of all beside
/// each other.
public struct SeriesEvidence: Hashable, Sendable {
    /// A comparison with its candidate, an index of the recording's targets.
    public struct Candidate: Hashable, Sendable {
        public var target: Int
        public var comparison: Comparison
    }

    public var series: Series
    /// An index of the recording's targets; `nil` where nothing is compared.
    public var baseline: Int?
    /// In the order of the targets.
    public var candidates: [Candidate]
    /// By target the ranks that it may have; none for those that fail more than most.
    public var standings: [Int: ClosedRange<Int>]
    /// Rounds of the series that were taken into account.
    public var rounds: Int
}

extension SeriesEvidence {
    /// The evidence in `recording`, which is that of the run that it was recorded from. `known` are
    /// marks of rounds that samples do not tell.
    public static func all(
        of recording: Recording,
        baseline: String?,
        rules: ComparisonRules = ComparisonRules(),
        ending: ComparisonProcess.Ending = .budgetSpent,
        tampering: Set<String> = [],
        known: [RoundKey: RoundMarks] = [:]
    ) -> [SeriesEvidence] {
        var feed = EvidenceFeed(
            targets: recording.targets,
            questions: recording.questions,
            baseline: baseline,
            rules: rules,
            tampering: tampering
        )
        feed.add(recording, known: known)
        return feed.evidence(ending: ending)
    }
}
