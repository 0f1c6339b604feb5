import Synchronization

extension Runner {
    /// Measures one round of the plan, warm-up first, as the run's round `number`; `nil` where the
    /// task was cancelled before every query had its outcome.
    package func round<C: Clock>(
        _ number: Int,
        on clock: C,
        send: @escaping Send,
        onSample: @escaping @Sendable (Sample) -> Void = { _ in }
    ) async -> MeasuredRound? where C.Duration == Duration {
        var runner = self
        runner.plan.rounds = 1
        // Another order in each round, from one seed.
        runner.plan.seed = plan.seed &+ UInt64(truncatingIfNeeded: number)
        runner.keepsSamples = false
        let taken = TakenOnce()
        _ = await runner.run(
            on: clock,
            send: send,
            onSample: { onSample($0.numbered(number)) },
            onRound: taken.take
        )
        guard var round = taken.round, round.isWhole else { return nil }
        round.number = number
        round.samples = round.samples.map { $0.numbered(number) }
        return round
    }
}

extension Sample {
    /// Of another round: the plan of one round calls it the first.
    fileprivate func numbered(_ round: Int) -> Sample {
        var sample = self
        sample.round = Int32(clamping: round)
        return sample
    }
}

/// The one round of a plan that has one.
private final class TakenOnce: Sendable {
    private let taken = Mutex<MeasuredRound?>(nil)

    var round: MeasuredRound? { taken.withLock { $0 } }

    @Sendable func take(_ round: MeasuredRound) { taken.withLock { $0 = round } }
}
