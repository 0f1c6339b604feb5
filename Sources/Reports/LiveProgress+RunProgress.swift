public import Measurement
import Statistics

extension LiveProgress {
    /// How far a run of `plan` has come; `inUse` is the label of what the machine uses now.
    public init(_ snapshot: RunProgress.Snapshot, of plan: Plan, inUse: String? = nil) {
        let names = ComparisonReport.names(of: plan.targets)
        self.init(
            resolvers: zip(zip(plan.targets, names), snapshot.targets).map { named, progress in
                Resolver(
                    name: named.1,
                    answered: progress.answered,
                    lost: progress.lost,
                    latency: LatencySummary(
                        answers: progress.times,
                        nonAnswers: 0,
                        timeout: plan.timeout.milliseconds
                    ),
                    isInUse: named.0.label == inUse
                )
            },
            done: snapshot.done,
            planned: snapshot.total,
            round: snapshot.round,
            rounds: plan.rounds,
            remaining: plan.isOpenEnded ? nil : snapshot.remaining
        )
        isOpenEnded = plan.isOpenEnded
    }
}
