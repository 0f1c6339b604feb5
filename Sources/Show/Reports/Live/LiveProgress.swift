import Analysis
package import Samples
package import Statistics

/// The progress of a run, as the live view shows it.
package struct LiveProgress: Sendable {
    struct Resolver: Hashable {
        var name: String
        var answered: Int
        /// Queries without a usable answer.
        var failed: Int
        var causes = FailureCauses()
        var latency: LatencySummary
        var medianInterval: ClosedRange<Double>? { latency.medianInterval }
        var isInUse = false
        /// Whether an answer came over a connection without a verified certificate. Any server may
        /// have sent it.
        var isUnverified = false
        /// The progress towards a verdict; `nil` for a resolver that is not compared.
        var evidence: EvidenceProgress?
    }

    package var snapshot: RunProgress.Snapshot
    /// The resolvers in the order in which they are shown.
    var resolvers: [Resolver]
    /// Lines below the resolvers, which replace the progress of the run.
    package var status: [String] = []

}

extension LiveProgress {
    /// The progress of a run. `inUse` is the label of the resolver that the machine currently uses.
    /// `evidence` contains the progress of the candidates, by the index of the target.
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
                // The name equals the name in a report. It includes the series if there are
                // several.
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
