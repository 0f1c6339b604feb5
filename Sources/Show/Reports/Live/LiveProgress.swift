import Analysis
package import Samples
package import Statistics

/// How far a run has come: what the live view shows of it.
package struct LiveProgress: Sendable {
    struct Resolver: Hashable {
        var name: String
        var answered: Int
        /// Queries without an answer that could be used.
        var failed: Int
        var causes = FailureCauses()
        var latency: LatencySummary
        var medianInterval: ClosedRange<Double>? { latency.medianInterval }
        var isInUse = false
        /// Whether an answer may be anybody's, since no certificate was verified.
        var isUnverified = false
        /// How far it is from a verdict; `nil` for one that is compared with none.
        var evidence: EvidenceProgress?
    }

    package var snapshot: RunProgress.Snapshot
    /// In the order in which they are shown.
    var resolvers: [Resolver]
    /// Lines below the resolvers, line by line, in place of how far the run has come.
    package var status: [String] = []

}

extension LiveProgress {
    /// How far a run has come; `inUse` is the label of what the machine uses now, and
    /// `evidence` that of the candidates, by the index of the target.
    package init(
        _ snapshot: RunProgress.Snapshot,
        inUse: String? = nil,
        evidence: [Int: EvidenceProgress] = [:]
    ) {
        let targets = snapshot.scope.targets
        let timeout = snapshot.scope.timeout.milliseconds
        let series = Set(targets.map(\.series))
        let names = targets.names
        self.snapshot = snapshot
        resolvers = snapshot.targets.enumerated().map { index, progress in
            let (target, times) = (targets[index], progress.times)
            return Resolver(
                // That of a report, with the series where there are several.
                name: target.series == .cached
                    ? names[index] : target.series.naming(names[index], among: series),
                answered: progress.counts.answered,
                failed: progress.counts.failed,
                causes: progress.counts.causes,
                latency: LatencySummary(answers: times, nonAnswers: 0, timeout: timeout),
                isInUse: target.label == inUse,
                isUnverified: progress.isUnverified,
                evidence: evidence[index]
            )
        }
    }
}
