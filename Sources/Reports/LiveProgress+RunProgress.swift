package import Measurement
package import Statistics

extension LiveProgress {
    /// How far a run of `plan` has come; `inUse` is the label of what the machine uses now, and
    /// `standings` those of the candidates, by the index of the target.
    package init(
        _ snapshot: RunProgress.Snapshot,
        of plan: Plan,
        inUse: String? = nil,
        standings: [Int: CandidateStanding] = [:]
    ) {
        let names = Self.names(of: plan.targets)
        self.init(
            resolvers: snapshot.targets.enumerated().map { index, progress in
                Resolver(
                    name: names[index],
                    answered: progress.answered,
                    lost: progress.lost,
                    latency: LatencySummary(
                        answers: progress.times,
                        nonAnswers: 0,
                        timeout: plan.timeout.milliseconds
                    ),
                    medianInterval: QuantileInterval.ofMedian(
                        progress.times.map { $0 <= plan.timeout.milliseconds ? $0 : .infinity }
                    ),
                    isInUse: plan.targets[index].label == inUse,
                    isUnverified: progress.isUnverified,
                    standing: standings[index]
                )
            },
            done: snapshot.done,
            planned: snapshot.total,
            round: snapshot.round,
            rounds: plan.rounds,
            remaining: plan.isOpenEnded ? nil : snapshot.remaining
        )
        isOpenEnded = plan.isOpenEnded
        settledRound = snapshot.settledRound
    }

    /// The names of a report, with the series where there are several.
    private static func names(of targets: [Recording.Target]) -> [String] {
        let names = ComparisonReport.names(of: targets)
        guard Set(targets.map(\.series)).count > 1 else { return names }
        return zip(targets, names).map { target, name in
            target.series == .cached ? name : "\(name), \(target.series)"
        }
    }
}
