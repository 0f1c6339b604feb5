extension Runner {
    /// Measures one round of the plan, warm-up first, as the run's round `number`, and tells what
    /// keeps it out of the resolvers' figures; `nil` where the task was cancelled before every
    /// query had its outcome.
    public func round<C: Clock>(
        _ number: Int,
        on clock: C,
        sleep: SleepMeter = .system,
        send: @escaping Send,
        onSample: @escaping @Sendable (Sample) -> Void = { _ in }
    ) async -> (round: MeasuredRound, marks: RoundMarks)? where C.Duration == Duration {
        var runner = self
        runner.plan.rounds = 1
        // Another order in each round, from one seed.
        runner.plan.seed = plan.seed &+ UInt64(truncatingIfNeeded: number)
        runner.keepsSamples = true
        let slept = sleep.total
        let measured = await runner.run(on: clock, send: send, onSample: onSample)
        guard measured.wholeRounds == 1 else { return nil }
        var samples = measured.recording.samples
        for index in samples.indices { samples[index].round = Int32(clamping: number) }
        var marks = RoundMarks.of(samples, targets: plan.targets)
        if sleep.hasSlept(since: slept) { marks.insert(.suspended) }
        return (MeasuredRound(number: number, samples: samples, isWhole: true), marks)
    }
}
